import type { Page } from '../routing/page.ts'
import { actions } from './actions/actions.ts'
import { cashUp } from './cash-ups/cash-up.ts'
import { cashUps } from './cash-ups/cash-ups.ts'
import { codes } from './codes/codes.ts'
import { sheet } from './codes/sheet.ts'
import { account } from './merchants/account.ts'
import { merchants } from './merchants/merchants.ts'
import { newMerchant } from './merchants/new-merchant.ts'
import { paymentsCsv } from './payments/csv.ts'
import { find } from './payments/find.ts'
import { payment } from './payments/payment.ts'
import { payments } from './payments/payments.ts'
import { importStatement } from './settlements/import-statement.ts'
import { settlement } from './settlements/settlement.ts'
import { settlements } from './settlements/settlements.ts'
import { merchantToday } from './today/merchant-today.ts'
import { today } from './today/today.ts'
import { unresolved } from './unresolved/unresolved.ts'
import { webhooksOverview } from './webhooks/overview.ts'
import { webhooks } from './webhooks/webhooks.ts'

/** All pages. Each is one module, which says where it is, who may see it, what it shows and what its forms do. */
export const pages: readonly Page[] = [
  ...[today, merchantToday],
  ...[merchants, newMerchant, account],
  ...[payments, paymentsCsv, find, payment],
  ...[cashUps, cashUp],
  ...[codes, sheet],
  ...[webhooksOverview, webhooks, unresolved],
  ...[settlements, settlement, importStatement],
  ...[actions],
]
