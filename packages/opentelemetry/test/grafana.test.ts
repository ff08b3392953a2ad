import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import type { GrafanaDashboard } from './grafana-dashboard.ts'

const json = await readFile(join(import.meta.dirname, '../dashboards/tillkit.json'), 'utf8')

/** What the compiler says of a text as a dashboard. */
async function complaintsOf(text: string): Promise<string[]> {
  const folder = await mkdtemp(join(import.meta.dirname, '../.scratch-'))
  try {
    const file = join(folder, 'dashboard.ts')
    const type = `import type { GrafanaDashboard } from '../test/grafana-dashboard.ts'`
    await writeFile(file, `${type}\nexport const dashboard: GrafanaDashboard = ${text}`)
    const program = ts.createProgram([file], {
      ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] },
      ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext },
    })
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('the dashboard is what Grafana’s own types say that one is', async () => {
  expect(await complaintsOf(json)).toEqual([])
}, 120_000)

test('a place that no legend has, and a field that no query has, would be found', async () => {
  for (const [right, wrong] of [
    ['"placement": "bottom"', '"placement": "below"'],
    ['"legendFormat"', '"legendForm"'],
  ] as const) {
    const complaints = await complaintsOf(json.replace(right, wrong))
    expect(complaints.join('\n')).toContain(wrong.split('"').at(-2))
  }
}, 120_000)

test('no two panels have one id or share a place', () => {
  const { panels } = JSON.parse(json) as GrafanaDashboard
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const taken = new Set<string>()
  for (const { gridPos } of panels) {
    const { x, y, w, h } = gridPos ?? { x: 0, y: 0, w: 0, h: 0 }
    expect(x + w).toBeLessThanOrEqual(24)
    for (let column = x; column < x + w; column++) {
      for (let row = y; row < y + h; row++) {
        const place = `${column},${row}`
        expect(taken).not.toContain(place)
        taken.add(place)
      }
    }
  }
  expect(taken.size).toBeGreaterThan(0)
})
