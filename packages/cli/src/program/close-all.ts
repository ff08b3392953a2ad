/** Closes what is open, the last first, each whatever becomes of the others; throws what the first that failed threw. */
export async function closeAll(closings: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const close of closings.toReversed()) {
    try {
      await close()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
