import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findChromium } from '@tillkit/servers/browser'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('the first Chromium of the path is found; that there is none is an error in CI alone', async () => {
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'tillkit-path-'))))
  onTestFinished(async () => {
    for (const folder of folders) await rm(folder, { recursive: true })
  })
  vi.stubEnv('PATH', folders.join(delimiter))
  vi.stubEnv('CI', '')
  expect(findChromium()).toBeUndefined()
  vi.stubEnv('CI', 'true')
  expect(findChromium).toThrow(/apt-get install chromium/)
  const file = join(folders[1] as string, 'chromium')
  await writeFile(file, '')
  expect(findChromium).toThrow(/apt-get install chromium/)
  await chmod(file, 0o755)
  expect(findChromium()).toBe(file)
})
