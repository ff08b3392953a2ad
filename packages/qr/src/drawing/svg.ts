import type { Matrix } from '../symbol/matrix.ts'

const quietZone = 4

/** Draws a symbol as an SVG of `size` pixels: a white ground, and all dark modules in one path, a rectangle a run. */
export function svg({ side, dark }: Matrix, size: number, title: string): string {
  const box = side + 2 * quietZone
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${size}" height="${size}" viewBox="0 0 ${box} ${box}" ` +
    `shape-rendering="crispEdges"><title>${escaped(title)}</title>` +
    `<rect width="${box}" height="${box}" fill="#fff"/><path fill="#000" d="${runs(dark, side)}"/></svg>`
  )
}

/** What is said again and again, by its number: numbers are not written out for each of thousands of runs. */
const starts: string[] = []
const lengths: string[] = []
for (let n = 0; n <= 177; n++) {
  starts.push(`M${n + quietZone} `)
  lengths.push(`h${n}v1h-${n}z`)
}

function runs(dark: Uint8Array, side: number): string {
  let path = ''
  for (let y = 0; y < side; y++) {
    const row = String(y + quietZone)
    const line = dark.subarray(y * side, (y + 1) * side)
    for (let x = 0, start = 0; x < side; x++) {
      if (line[x] === 0) start = x + 1
      else if (line[x + 1] !== 1) path += `${starts[start]}${row}${lengths[x + 1 - start]}`
    }
  }
  return path
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
