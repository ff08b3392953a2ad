/** What came of one thing that was tried on one Node. */
export interface Result {
  /** The package or the place whose words were followed. */
  of: string
  what: string
  node: string
  /** What went wrong, or null. */
  problem: string | null
}

/** Tries things and keeps what came of each. */
export interface Results {
  readonly all: readonly Result[]
  /** Tries one thing; whether it went well. */
  try(of: string, what: string, node: string, work: () => unknown): Promise<boolean>
}

/** Starts with nothing tried. `print` is told of each failure at once. */
export function newResults(print: (line: string) => void): Results {
  const all: Result[] = []
  return {
    all,
    async try(of, what, node, work) {
      const problem = await Promise.resolve()
        .then(work)
        .then(
          () => null,
          error => (error instanceof Error ? error.message : String(error)),
        )
      all.push({ of, what, node, problem })
      if (problem !== null) print(`✗ ${of}, ${what}, Node ${node}: ${problem}\n`)
      return problem === null
    },
  }
}
