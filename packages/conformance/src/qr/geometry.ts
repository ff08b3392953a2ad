import type { Picture } from './read-code.ts'

/**
 * What is wrong with how a symbol of `side` modules lies in a square picture: each module is the same whole number of pixels,
 * it is centred, and the quiet zone is four modules, or less only where the size is tight.
 */
export function geometryProblems({ width, height, data }: Picture, side: number): string[] {
  const dark = (x: number, y: number) => (data[4 * (y * width + x)] ?? 255) < 128
  const along = (length: number, isDark: (i: number) => boolean) => {
    const marks = Array.from({ length }, (_, i) => isDark(i))
    return { before: marks.indexOf(true), after: length - 1 - marks.lastIndexOf(true) }
  }
  const rows = [...Array(height).keys()]
  const columns = [...Array(width).keys()]
  const { before: left, after: right } = along(width, x => rows.some(y => dark(x, y)))
  const { before: top, after: bottom } = along(height, y => columns.some(x => dark(x, y)))
  const scale = (width - left - right) / side
  if (!Number.isInteger(scale) || height - top - bottom !== scale * side) {
    return [`a module should be a whole number of pixels, and is ${scale.toFixed(2)}`]
  }
  const problems: string[] = []
  const isEven = rows.every(y =>
    columns.every(x => {
      if (x < left || y < top || x >= width - right || y >= height - bottom) return true
      return dark(x, y) === dark(x - ((x - left) % scale), y - ((y - top) % scale))
    }),
  )
  if (!isEven) problems.push('not every module is whole')
  if (Math.abs(left - right) > 1 || Math.abs(top - bottom) > 1) {
    problems.push(`it is not centred: ${left} pixels left, ${right} right, ${top} above, ${bottom} below`)
  }
  if (scale * (side + 8) <= width && Math.min(left, right, top, bottom) < 4 * scale) {
    problems.push('the quiet zone is less than four modules, and there is room for it')
  }
  return problems
}
