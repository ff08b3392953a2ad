import type { Account } from '../account/account.ts'
import type { Codes } from '../qr/images.ts'
import { EXACT } from '../rules/order.ts'
import type { Check } from '../session/check.ts'
import { NotTried } from '../session/not-tried.ts'
import { authCodes } from './payments/auth-codes.ts'
import { creating } from './payments/creating.ts'
import { dateFilters } from './payments/dates.ts'
import { exactFilter, filtersTogether, statusFilter } from './payments/filters.ts'
import { onePayment, unknownPayments } from './payments/one-payment.ts'
import { cashUpPages, paymentPages, periodPages } from './payments/pages.ts'
import { notReady, periods, unknownCashUps } from './payments/periods.ts'
import { tips } from './payments/tips.ts'
import { cachedImages, encodedQueries, images } from './qr/qr-images.ts'
import { paymentPage, qrRefusals } from './qr/qr-refusals.ts'
import { authentication } from './requests/authentication.ts'
import { preflights, requestIdsEchoed } from './requests/browsers.ts'
import { https } from './requests/https.ts'
import { otherHeaders } from './requests/other-headers.ts'
import { invalidParameters, unknownParameters } from './requests/parameters.ts'
import { methods, paths, sizes, slashesAndHeads } from './requests/paths.ts'

/** What is tried, in this order: what makes cash ups before what reads them. */
export function checksFor(account: Account, destructive: boolean, codes: Codes | string): readonly Check[] {
  return [
    https,
    ...authentication(),
    preflights,
    requestIdsEchoed,
    slashesAndHeads(account),
    otherHeaders(account),
    unknownParameters(account),
    paths,
    methods(destructive),
    sizes,
    paymentPages(account),
    statusFilter(account),
    ...EXACT.map(name => exactFilter(name, account)),
    filtersTogether(account),
    dateFilters(account),
    invalidParameters(account),
    onePayment(account),
    tips(account),
    authCodes(account),
    unknownPayments(account),
    creating(destructive),
    cashUpPages(),
    periods(account),
    notReady(account),
    periodPages(account),
    unknownCashUps(account),
    ...qrChecks(codes),
    throttling,
  ]
}

/** API 7.2: not provoked, since good keys behind the same address would be refused as well. */
const throttling: Check = {
  name: 'throttling',
  section: '7.2',
  title: 'who asks too often gets 429',
  async run() {
    throw new NotTried('429 is not provoked: it would refuse others behind this address as well')
  },
}

/** Where there are no codes, why not. */
function qrChecks(codes: Codes | string): readonly Check[] {
  const known = typeof codes === 'string' ? { scanCode: '', encodedBase: null } : codes
  const checks = [images, encodedQueries, cachedImages, qrRefusals, paymentPage].map(check => check(known))
  if (typeof codes !== 'string') return checks
  return checks.map(check => ({
    ...check,
    run: async () => {
      throw new NotTried(codes)
    },
  }))
}
