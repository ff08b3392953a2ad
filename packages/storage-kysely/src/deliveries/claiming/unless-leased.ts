/**
 * One step of a claim that goes on; undefined where it failed with something leased before it, which is handed over then: left to
 * itself it would wait until its lease ends. What failed is met again by the next claim.
 */
export function unlessLeased<Step>(
  step: Promise<Step>,
  claimed: readonly unknown[],
): Promise<Step | undefined> {
  return step.catch(error => {
    if (claimed.length === 0) throw error
    return undefined
  })
}
