const LEAST = 22

/** Says in one sentence what would be a `TypeError` deep inside. Runtimes that are not Node are taken at their word. */
export function assertSupportedNode(): void {
  const { node, bun, deno } = globalThis.process?.versions ?? {}
  if (node === undefined || bun !== undefined || deno !== undefined) return
  if (Number.parseInt(node, 10) < LEAST) {
    throw new Error(`Tillkit needs Node ${LEAST} or later, and this is Node ${node}`)
  }
}
