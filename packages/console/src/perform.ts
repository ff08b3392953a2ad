import { randomBytes } from 'node:crypto'
import { TillError } from '@tillkit/domain'
import { type HttpResponse, RequestError } from '@tillkit/http'
import { CommitUnknownError, DatabaseError } from '@tillkit/storage'
import type { ConsoleAction } from './audit/action.ts'
import type { Journal } from './audit/journal.ts'
import type { FormKey } from './guard/form-key.ts'
import type { Once } from './guard/once.ts'
import { isOwnOrigin } from './guard/own-origin.ts'
import { SameOnceMoreError } from './guard/same-once-more.ts'
import type { Messages } from './messages.ts'
import { beginning } from './routing/beginning.ts'
import { type Form, readAnyForm } from './routing/form.ts'
import type { Action, Done } from './routing/page.ts'
import type { Visit } from './routing/visit.ts'

/** What came of a form: what its action returned, what was wrong with it, or an answer that ends it. */
export type Performed =
  | { done: Done; name: string }
  | { again: NonNullable<Visit['again']>; status: number }
  | { answer: HttpResponse }

/** What is needed of the console to do what a form asks. */
export interface Performing {
  journal: Journal
  once: Once
  messages: Messages
  key: FormKey
  requestId: string
}

/** Does what a form asks for, if it is this browser's own and its sender may, and writes it down before and after. */
export async function perform<V extends Visit>(
  visit: V,
  actions: Readonly<Record<string, Action<V>>> | undefined,
  merchantId: string | null,
  { journal, once, messages, key, requestId }: Performing,
): Promise<Performed> {
  const { path, request, visitor } = visit
  const refuse = (status: number, title: string, more: string): Performed => ({
    answer: messages.say(path, status, title, more),
  })
  if (!isOwnOrigin(request))
    return refuse(403, 'Not done', 'The form was not sent from a page of this console.')
  const form = await readAnyForm(request)
  if (!key.accepts(form.get('token'))) {
    return refuse(
      403,
      'Not done',
      'The form is of another session. Open the page again, and send it from there.',
    )
  }
  const name = form.get('action')
  const action = actions !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action === undefined || !visitor.may(action.needs)) return { answer: messages.unknown(path) }
  const sent = form.get('once')
  if (!once.take(sent)) {
    return refuse(
      409,
      'Done already',
      'This form was sent before, and has done its work once if nothing went wrong. Open the page to see how things stand.',
    )
  }

  const began: ConsoleAction = {
    id: randomBytes(9).toString('base64url'),
    at: await timeOf(visit),
    state: 'begun',
    operator: visitor.name,
    action: action.name,
    merchantId,
    details: detailsOf(visit, form, action),
    error: null,
    requestId,
    remoteAddress: request.remoteAddress ?? null,
  }
  await journal.write(began)
  const ended = async (state: 'done' | 'failed', error: string | null) =>
    journal.write({ ...began, state, error, at: await timeOf(visit) })
  try {
    const done = (await action.run(visit, form)) ?? {}
    await ended('done', null)
    return { done, name }
  } catch (error) {
    if (error instanceof TillError) {
      await ended('failed', error.message)
      once.giveBack(sent)
      const status = error instanceof RequestError ? error.status : STATUSES[error.code]
      return { again: { form, action: name, problem: error.message }, status }
    }
    const repeatable = action.repeatable === true
    await ended('failed', `${wordsFor(error)}: the log has it under the request’s id`)
    // What may have taken place is not done by this form again, unless it takes place once in any case.
    if (repeatable || isUndone(error)) once.giveBack(sent)
    throw repeatable && error instanceof CommitUnknownError ? new SameOnceMoreError(error) : error
  }
}

/** A database that failed has undone what it was asked for, unless it could not say so. */
const isUndone = (error: unknown) => error instanceof DatabaseError && !(error instanceof CommitUnknownError)

function wordsFor(error: unknown): string {
  if (error instanceof CommitUnknownError) return 'whether it took place is unknown'
  return isUndone(error) ? 'the database failed' : 'it went wrong'
}

const STATUSES = { invalid_input: 400, conflict: 409, not_found: 404, not_ready: 409 } as const

/** By name, each cut where somebody sent much. */
function detailsOf<V extends Visit>(
  visit: V,
  form: Form,
  { logs = [], details }: Action<V>,
): Record<string, string> {
  const { parameter } = visit
  const said = [
    ...(parameter === '' ? [] : [['of', parameter] as const]),
    ...logs.map(name => [name, form.get(name)] as const).filter(([, value]) => value !== ''),
    ...Object.entries(details?.(visit, form) ?? {}),
  ]
  return Object.fromEntries(said.map(([name, value]) => [name, beginning(value)]))
}

/** The till's time; the machine's where the till cannot tell, since an action is written down whatever is away. */
async function timeOf({ till }: Visit): Promise<string> {
  const now = await till.now().catch(() => new Date())
  return now.toISOString()
}
