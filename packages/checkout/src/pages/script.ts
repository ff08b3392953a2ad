import { createHash } from 'node:crypto'

/**
 * What the pages do where there is JavaScript: add up the total while an amount is typed, swallow a second press, go on
 * elsewhere where the payment has to be confirmed, and show the outcome of a pending payment when it is there. Without it the
 * same happens in one more step each: the server is the judge of all of it. Plain JavaScript for phones of some age, in a
 * block: a script of the host's that has a `form` as well would stop it, or be stopped by it.
 */
export const SCRIPT = `'use strict'
{
const main = document.querySelector('main')
const form = document.querySelector('form[data-locale]')

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
  const units = match[1] || match[3] || match[6]
  const fraction = match[2] || match[5] || match[8] || ''
  const cents = Number(digitsOf(units, +zero) + digitsOf(fraction, +zero).padEnd(+digits, '0'))
  return Number.isSafeInteger(cents) ? cents : null
}

// A tip that is typed is what is meant; one that is chosen may be a share of the amount, rounded as the server does.
function tipOf(tip, owed) {
  if (tip.value.trim() !== '') return centsOf(tip, form.dataset)
  const chosen = form.querySelector('[name=tip-choice]:checked')
  return chosen ? presetOf(chosen, owed) : 0
}

function presetOf({ dataset }, owed) {
  if (dataset.cents) return +dataset.cents
  if (!dataset.hundredths) return 0
  if (owed === null) return null
  const rest = owed % 10000
  return ((owed - rest) / 10000) * dataset.hundredths + Math.floor((rest * dataset.hundredths + 5000) / 10000)
}

function format(cents, { locale, currency, digits }) {
  const text = String(cents).padStart(+digits + 1, '0')
  const decimal = +digits === 0 ? text : text.slice(0, -digits) + '.' + text.slice(-digits)
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(decimal)
}

function read() {
  const { amount, tip } = form.elements
  const owed = amount ? centsOf(amount, form.dataset) : +form.dataset.amount
  const extra = tip ? tipOf(tip, owed) : 0
  const all = owed === null || extra === null || owed + extra === 0 ? null : owed + extra
  return { owed, extra, all: Number.isSafeInteger(all) ? all : null }
}

function addUp() {
  const { total, sum } = form.elements
  const { owed, all } = read()
  const shown = all === null ? '' : format(all, form.dataset)
  total.value = all === null ? '' : all
  if (sum.value !== (shown || '–')) sum.value = shown || '–'
  for (const preset of form.querySelectorAll('[data-hundredths]')) {
    const cents = presetOf(preset, owed)
    preset.parentNode.querySelector('small').textContent = cents === null ? '' : format(cents, form.dataset)
  }
  form.querySelector('.pay').textContent = all === null ? form.dataset.proceed : form.dataset.pay.replace('{total}', () => shown)
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
  form.addEventListener('input', ({ target }) => {
    const { tip } = form.elements
    const typed = form.querySelector('[name=tip-choice][value=other]')
    if (target === tip && typed && tip.value.trim() !== '') typed.checked = true
    if (target.name === 'tip-choice' && target !== typed) tip.value = ''
    if (target === typed) tip.focus()
    addUp()
    takeBack()
  })
  // Outside of the form, so that a field of the host's has had its say: what it holds back it sends later, or lets be pressed again.
  addEventListener('submit', event => {
    if (event.target !== form) return
    remember()
    if (event.defaultPrevented) return
    if (pressed) return event.preventDefault()
    pressed = true
    const button = form.querySelector('.pay')
    button.setAttribute('aria-disabled', 'true')
    button.textContent = form.dataset.busy
  })
  // What was meant is filled in, and what is paid is shown before it is.
  for (const choice of form.querySelectorAll('.choices button')) {
    choice.type = 'button'
    choice.addEventListener('click', () => {
      const input = choice.closest('.field').querySelector('input')
      input.value = choice.dataset.typed
      input.dispatchEvent(new Event('input', { bubbles: true }))
      input.focus()
    })
  }
  addUp()
}

// Back from the result to a page that the browser kept: ask how the payment stands.
addEventListener('pageshow', event => {
  if (event.persisted) location.replace(location.href)
})

// That this tab has just pressed to pay: it goes on elsewhere by itself, once. Who comes back, or looks again, is asked to.
function remember() {
  try {
    sessionStorage.setItem('pressed', location.pathname)
  } catch {}
}

function hasPressed() {
  try {
    const pressed = sessionStorage.getItem('pressed') === location.pathname
    sessionStorage.removeItem('pressed')
    return pressed
  } catch {
    return false
  }
}

function goOn(way) {
  if (way.tagName === 'A') location.assign(way.href)
  else HTMLFormElement.prototype.submit.call(way)
}

let pause = 1000
async function look() {
  try {
    const answer = await fetch(location.href, { cache: 'no-store' })
    if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const next = page.querySelector('main')
      const { state } = next.dataset
      const waits = state === 'pending' || state === 'step'
      if (state === 'pay' || (waits && state !== main.dataset.state)) {
        // A step whose page was waited for is part of the press.
        if (state === 'step' && waited) remember()
        return location.replace(location.href)
      }
      if (!waits) {
        const [before, after] = [main.firstElementChild, next.firstElementChild]
        document.title = page.title
        before.className = after.className
        before.replaceChildren(...after.childNodes)
        main.dataset.state = state
        return
      }
    }
  } catch {}
  pause = Math.min(pause * 1.25, 5000)
  setTimeout(look, pause)
}
const pressed = hasPressed()
const waited = pressed && main.dataset.state === 'pending'
if (pressed && main.dataset.state === 'step') goOn(main.querySelector('[data-go]'))
if (main.dataset.state === 'pending' || main.dataset.state === 'step') setTimeout(look, pause)
}
`

const hash = createHash('sha256').update(SCRIPT).digest('hex').slice(0, 16)

/** The name the script is served under. It changes with the script, so that a page never runs an older one. */
export const SCRIPT_NAME = `checkout-${hash}.js`
