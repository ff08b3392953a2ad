import { createHash } from 'node:crypto'

/**
 * What the pages do where there is JavaScript: add up the total while an amount is typed, swallow a second press, and show
 * the outcome of a pending payment when it is there. Without it the same happens in one more step each: the server is the
 * judge of all of it. Plain JavaScript for phones of some age.
 */
export const SCRIPT = `'use strict'
const main = document.querySelector('main')
const form = document.querySelector('form')

function digitsOf(text, zero) {
  let digits = ''
  for (const character of text) {
    const code = character.codePointAt(0)
    const value = code >= zero && code <= zero + 9 ? code - zero : code - 48
    if (value >= 0 && value <= 9) digits += value
  }
  return digits
}

function centsOf(input, { digits, zero }) {
  const match = new RegExp('^(?:' + input.pattern + ')$', 'u').exec(input.value)
  if (!match) return null
  const cents = Number(digitsOf(match[1], +zero) + digitsOf(match[2] || '', +zero).padEnd(+digits, '0'))
  return Number.isSafeInteger(cents) ? cents : null
}

function format(cents, { locale, currency, digits }) {
  const text = String(cents).padStart(+digits + 1, '0')
  const decimal = +digits === 0 ? text : text.slice(0, -digits) + '.' + text.slice(-digits)
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(decimal)
}

function read() {
  const { amount, tip } = form.elements
  const owed = amount ? centsOf(amount, form.dataset) : +form.dataset.amount
  const extra = !tip || tip.value.trim() === '' ? 0 : centsOf(tip, form.dataset)
  const all = owed === null || extra === null || owed + extra === 0 ? null : owed + extra
  return { owed, extra, all: Number.isSafeInteger(all) ? all : null }
}

function addUp() {
  const { total, sum } = form.elements
  const { all } = read()
  const shown = all === null ? '' : format(all, form.dataset)
  total.value = all === null ? '' : all
  if (sum.value !== (shown || '–')) sum.value = shown || '–'
  form.querySelector('button').textContent = all === null ? form.dataset.proceed : form.dataset.pay.replace('{total}', () => shown)
}

const right = {
  amount: ({ owed, extra, all }) => owed !== null && (extra === null || all !== null),
  tip: ({ extra }) => extra !== null,
  reference: (_, input) => [...input.value.trim()].length <= 255,
}

// What is mended is not called wrong any more; what was said of a total that has changed since goes as well.
function takeBack() {
  const entry = read()
  for (const input of form.querySelectorAll('.field > [aria-invalid]')) {
    if (!right[input.name](entry, input)) continue
    input.removeAttribute('aria-invalid')
    input.removeAttribute('aria-describedby')
    document.getElementById(input.name + '-wrong').remove()
  }
  const check = form.querySelector('.check')
  if (check) check.remove()
}

if (form) {
  let pressed = false
  form.addEventListener('input', () => {
    addUp()
    takeBack()
  })
  form.addEventListener('submit', event => {
    if (pressed) return event.preventDefault()
    pressed = true
    const button = form.querySelector('button')
    button.setAttribute('aria-disabled', 'true')
    button.textContent = form.dataset.busy
  })
  addUp()
}

// Back from the result to a page that the browser kept: ask how the payment stands.
addEventListener('pageshow', event => {
  if (event.persisted) location.replace(location.href)
})

let pause = 1000
async function look() {
  try {
    const answer = await fetch(location.href, { cache: 'no-store' })
    if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const next = page.querySelector('main')
      if (next.dataset.state === 'pay') return location.replace(location.href)
      if (next.dataset.state !== 'pending') {
        const [before, after] = [main.firstElementChild, next.firstElementChild]
        document.title = page.title
        before.className = after.className
        before.replaceChildren(...after.childNodes)
        main.dataset.state = next.dataset.state
        return
      }
    }
  } catch {}
  pause = Math.min(pause * 1.25, 5000)
  setTimeout(look, pause)
}
if (main.dataset.state === 'pending') setTimeout(look, pause)
`

const hash = createHash('sha256').update(SCRIPT).digest('hex').slice(0, 16)

/** The name the script is served under. It changes with the script, so that a page never runs an older one. */
export const SCRIPT_NAME = `checkout-${hash}.js`
