import type { Page } from 'playwright-core'

/** What a browser says of an answer that is no success, or of an icon that nobody made: it is no fault of a page. */
const EXPECTED = /favicon|Failed to load resource/

/** What the browser has to say against a page: errors of its script, and what the content security policy stopped. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text())
  })
  return complaints
}
