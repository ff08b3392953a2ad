import type { DeliveryAttempt } from '@tillkit/domain'

/** How many characters of an attempt's texts every store keeps. */
const LONGEST = 1024

/**
 * The attempt as every store can keep it: texts without NUL and half surrogate pairs, no longer than a column, and whole
 * numbers. All that is kept of an attempt comes through here.
 */
export function keepable({ at, status, milliseconds, error, answer }: DeliveryAttempt): DeliveryAttempt {
  return {
    at,
    status: status === null || !Number.isSafeInteger(status) ? null : status,
    milliseconds: Number.isFinite(milliseconds) ? Math.max(0, Math.round(milliseconds)) : 0,
    error: error === null ? null : keepableText(error),
    answer: answer === null ? null : keepableText(answer),
  }
}

/** What is left where a store refuses even that: whether it was a success. */
export function withoutTexts(attempt: DeliveryAttempt): DeliveryAttempt {
  return { ...attempt, error: attempt.error === null ? null : 'failed', answer: null }
}

function keepableText(text: string): string {
  const clean = text.toWellFormed().replaceAll('\0', '\ufffd')
  return clean.length <= LONGEST ? clean : [...clean].slice(0, LONGEST).join('')
}
