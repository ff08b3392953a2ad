/** What goes on at one key. While nothing does, none is kept. */
interface Line {
  inside: number
  waiting: (() => void)[]
}

/** Runs what is of one key, a few at once: the others wait in line until one is done, well or not. */
export type FewAtOnce = <Result>(key: string, run: () => Promise<Result>) => Promise<Result>

/** Of each key at most so many are run at once. */
export function fewAtOnce(most: number): FewAtOnce {
  const lines = new Map<string, Line>()

  function turn(key: string): Promise<void> | undefined {
    const line = lines.get(key)
    if (line === undefined) lines.set(key, { inside: 1, waiting: [] })
    else if (line.inside < most) line.inside += 1
    else return new Promise(resolve => line.waiting.push(resolve))
  }

  function leave(key: string): void {
    const line = lines.get(key) as Line
    const next = line.waiting.shift()
    if (next) next()
    else if (line.inside > 1) line.inside -= 1
    else lines.delete(key)
  }

  return async (key, run) => {
    const waiting = turn(key)
    if (waiting) await waiting
    try {
      return await run()
    } finally {
      leave(key)
    }
  }
}
