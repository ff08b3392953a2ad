/**
 * A real browser for the tests of a file: Chromium, started once and closed with them.
 *
 * @packageDocumentation
 */
export { complaintsOf } from './complaints.ts'
export { findChromium } from './find-chromium.ts'
export { browserContext, inBrowser } from './in-browser.ts'
