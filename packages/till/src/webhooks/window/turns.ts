import { createLine, type Line } from './line.ts'

/** What is posted to one part of the tree of paths, as one of a line. */
interface Branch<One> {
  part: string
  came: number
  begun: boolean
  turns: Line<One>
}

/** How many parts of a path are told apart. */
export const PARTS = 4

/**
 * A line of branches: each part of the tree of paths has its turn, and within it each of its own parts. So a thousand below
 * `/a`, whatever their paths, are before one at `/b` no more than one of them would be.
 */
export function createTurns<One extends { readonly came: number; readonly path: readonly string[] }>(
  depth = 0,
): Line<One> {
  const branches = new Map<string, Branch<One>>()
  const line = createLine<Branch<One>>()
  let size = 0
  let newcomers = 0
  /** The branch with the most newcomers when one last came. */
  let fullest: Branch<One> | undefined

  const partOf = ({ path }: One) => path[depth] ?? ''
  const branchOf = (one: One): Branch<One> => {
    const part = partOf(one)
    const there = branches.get(part)
    if (there) return there
    const isLeaf = part === '' || depth + 1 === PARTS
    const turns = isLeaf ? createLine<One>() : createTurns<One>(depth + 1)
    const branch = { part, came: one.came, begun: false, turns }
    branches.set(part, branch)
    return branch
  }
  const has = (one: One) => branches.get(partOf(one))?.turns.has(one) ?? false
  const newcomersOf = (branch: Branch<One> | undefined) => branch?.turns.newcomers().count ?? 0
  const change = <Result>({ turns }: Branch<One>, work: () => Result): Result => {
    const before = { size: turns.size, newcomers: turns.newcomers().count }
    const result = work()
    size += turns.size - before.size
    newcomers += turns.newcomers().count - before.newcomers
    return result
  }

  return {
    get size() {
      return size
    },
    has,
    add(one, isNew) {
      if (has(one)) return
      const branch = branchOf(one)
      change(branch, () => branch.turns.add(one, isNew))
      line.add(branch, isNew && !branch.begun)
      if (newcomersOf(branch) >= newcomersOf(fullest)) fullest = branch
    },
    delete(one) {
      if (!has(one)) return
      const branch = branchOf(one)
      change(branch, () => branch.turns.delete(one))
      if (branch.turns.size > 0) return
      line.delete(branch)
      branches.delete(branch.part)
    },
    first: () => line.first()?.turns.first(),
    take() {
      const branch = line.take()
      if (!branch) return undefined
      const one = change(branch, () => branch.turns.take())
      branch.begun = true
      if (branch.turns.size > 0) line.add(branch, false)
      else branches.delete(branch.part)
      return one
    },
    newcomers() {
      // Who has the most before it in its own branch is the furthest; among equals it is the one in the middle.
      let branch = line.newcomers().middle
      if (newcomersOf(fullest) > newcomersOf(branch)) branch = fullest
      if (newcomersOf(branch) === 0 && newcomers > 0) branch = [...line].find(newcomersOf)
      return { count: newcomers, middle: branch?.turns.newcomers().middle }
    },
    *[Symbol.iterator]() {
      for (const { turns } of line) yield* turns
    },
  }
}
