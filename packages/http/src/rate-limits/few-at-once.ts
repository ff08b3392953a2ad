/** For so long, in milliseconds, somebody waits for those before: where they take longer it is not their weight that keeps all busy. */
const PATIENCE = 1000

/** What goes on at one key. While nothing does, none is kept. */
interface Line {
  inside: number
  readonly waiting: Set<() => void>
}

/** Runs what is of one key, a few at once: the others wait in line until one is done, well or not, but no longer than a second. */
export type FewAtOnce = <Result>(key: string, run: () => Promise<Result>) => Promise<Result>

/** Of each key at most so many are run at once. */
export function fewAtOnce(most: number): FewAtOnce {
  const lines = new Map<string, Line>()

  function leave(key: string, line: Line): void {
    const [next] = line.waiting
    if (next) next()
    else if (line.inside > 1) line.inside -= 1
    else lines.delete(key)
  }

  return async (key, run) => {
    const line = lines.get(key) ?? { inside: 0, waiting: new Set() }
    if (line.inside < most) {
      line.inside += 1
      lines.set(key, line)
    } else if (!(await turn(line))) return run()
    try {
      return await run()
    } finally {
      leave(key, line)
    }
  }
}

/** Whether a place was handed over in time. */
function turn({ waiting }: Line): Promise<boolean> {
  return new Promise(resolve => {
    const end = (taken: boolean) => {
      clearTimeout(timer)
      waiting.delete(take)
      resolve(taken)
    }
    const take = () => end(true)
    const timer = setTimeout(end, PATIENCE, false)
    waiting.add(take)
  })
}
