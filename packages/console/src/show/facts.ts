import { type Content, type Html, html } from '@tillkit/http'
import type { Formats } from './formats.ts'

/** Names and what they stand for, those that there are. */
export function facts(entries: readonly (readonly [name: string, value: Content])[]): Html {
  const there = entries.filter(([, value]) => value !== null && value !== undefined && value !== false)
  return html`<dl>${there.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

/** A moment, as people read it and as programs do. */
export function moment(formats: Formats, at: string): Html {
  return html`<time datetime="${at}">${formats.moment(new Date(at))}</time>`
}

const KINDS: Record<string, 'good' | 'bad' | 'wait'> = {
  completed: 'good',
  delivered: 'good',
  active: 'good',
  done: 'good',
  final: 'good',
  error: 'bad',
  exhausted: 'bad',
  failed: 'bad',
  failing: 'bad',
  paused: 'bad',
  suspended: 'bad',
  pending: 'wait',
  due: 'wait',
  open: 'wait',
  begun: 'wait',
}

/** How something stands, by word and by colour. */
export function state(word: string): Html {
  const kind = Object.hasOwn(KINDS, word) ? KINDS[word] : undefined
  return html`<span class="state${kind && html` ${kind}`}">${word}</span>`
}

/** How long ago, in the largest unit that fits: `3 days`. */
export function age(seconds: number): string {
  const units: [number, string][] = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ]
  for (const [size, name] of units) {
    const whole = Math.floor(seconds / size)
    if (whole >= 1) return `${whole} ${name}${whole === 1 ? '' : 's'}`
  }
  return 'less than a minute'
}
