import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { findChromium } from './find-chromium.ts'

/** It runs as root here and there, and is to ask nobody for anything but the test's own pages. */
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
]

/** What is waited for is on the page, not a time: this is when it is given up, in milliseconds. */
const PATIENCE = 100_000

let browser: Browser

/** Tests in a real browser: skipped, by name, where there is none; in CI that is a failure. */
export function inBrowser(name: string, tests: () => void): void {
  const executablePath = findChromium()
  if (executablePath === undefined) console.warn(`skipped, for there is no Chromium here: ${name}`)
  describe.skipIf(executablePath === undefined)(name, { timeout: 120_000 }, () => {
    beforeAll(async () => {
      const whole = { executablePath: executablePath as string, args: FLAGS, timeout: PATIENCE }
      browser = await chromium.launch(whole)
    }, 120_000)
    afterAll(() => browser?.close())
    tests()
  })
}

/** Somebody's browser, with cookies of its own, until the test ends. */
export async function browserContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const opened = await browser.newContext({ locale: 'en-IE', ...options })
  opened.setDefaultTimeout(PATIENCE)
  onTestFinished(() => opened.close())
  return opened
}
