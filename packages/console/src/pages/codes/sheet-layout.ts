/** The papers that sheets are made for, by name and words. */
export const PAPERS = [
  ['a4', 'A4'],
  ['letter', 'Letter'],
] as const

/** How many codes stand beside and below one another. */
export interface SheetLayout {
  columns: number
  rows: number
}

/** The most of each: `style.ts` has a rule for so many. */
const MOST_COLUMNS = 5
const MOST_ROWS = 8

/** The layout in which `count` codes, 1 to 30, are largest on an upright page: as high as it is wide by the root of two. */
export function sheetLayout(count: number): SheetLayout {
  let best: SheetLayout & { side: number } = { columns: 1, rows: count, side: 0 }
  for (let columns = 1; columns <= MOST_COLUMNS; columns++) {
    const rows = Math.ceil(count / columns)
    if (rows > MOST_ROWS) continue
    // Below each code stands a line of text.
    const side = Math.min(1 / columns, (Math.SQRT2 / rows) * 0.85)
    if (side > best.side) best = { columns, rows, side }
  }
  return { columns: best.columns, rows: best.rows }
}
