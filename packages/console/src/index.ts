/**
 * What a payment provider's people look at: payments, webhooks, cash ups, codes and keys of every merchant, or of the one that they
 * may see. `createConsole` is all of it.
 *
 * @packageDocumentation
 */

export { TillError } from '@tillkit/domain'
export type { Brand } from '@tillkit/http'
export type { ConsoleAction, OnAction } from './audit/action.ts'
export { type Console, createConsole } from './create-console.ts'
export type { Authorize, Operator } from './operator/operator.ts'
export { PERMISSIONS, type Permission } from './operator/permissions.ts'
export type { ConsoleOptions, ConsoleRateLimits } from './options.ts'
