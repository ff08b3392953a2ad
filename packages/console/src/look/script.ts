/**
 * What pages do where there is JavaScript: fetch again what is live, swallow a second press, copy a key, print. Without it a reload,
 * the server, the keyboard and the browser's own menu do the same.
 */
export const SCRIPT = `'use strict'
const seconds = Number(document.body.dataset.live)

async function look() {
  try {
    if (document.visibilityState === 'visible') {
      const answer = await fetch(location.href, { cache: 'no-store', headers: { 'X-Console-Live': '1' } })
      if (!answer.ok) throw new Error(answer.status)
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      for (const part of document.querySelectorAll('[data-live-part]')) {
        const next = page.getElementById(part.id)
        // Whoever is at something in it is not disturbed: not every browser gives a box that is ticked the focus.
        const isAtIt = part.contains(document.activeElement) || part.querySelector(':checked, details[open]')
        if (next && !isAtIt && part.innerHTML !== next.innerHTML) part.replaceChildren(...next.childNodes)
      }
      if (!page.body.dataset.live) return
    }
  } catch {}
  setTimeout(look, seconds * 1000)
}
if (seconds) setTimeout(look, seconds * 1000)

const pressed = new WeakSet()
document.addEventListener('submit', event => {
  const form = event.target
  if (form.method !== 'post') return
  if (pressed.has(form)) return event.preventDefault()
  pressed.add(form)
  for (const button of form.querySelectorAll('button')) button.setAttribute('aria-disabled', 'true')
})
addEventListener('pageshow', event => {
  if (event.persisted) location.reload()
})

for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value)
    button.textContent = 'Copied'
  })
}
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}
`
