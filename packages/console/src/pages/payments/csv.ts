import type { HttpResponse } from '@tillkit/http'
import { merchantPage } from '../../routing/page.ts'
import { filterOf } from './filter.ts'

/** The payments that pass the filter as CSV, all of them, oldest first, as they are read. */
export const paymentsCsv = merchantPage({
  ofMerchant: '/payments.csv',
  needs: 'read',
  async show(visit): Promise<HttpResponse | null> {
    const { till, merchant, settings } = visit
    const { filter, wrong } = filterOf(visit)
    if (wrong !== null) return null
    // What may not be asked, or cannot be read, is said before an answer begins.
    await till.payments.list(merchant.id, { filter, perPage: 1 })
    const { toCsv } = await import('@tillkit/till/export')
    const pieces = toCsv(till.payments.export(merchant.id, { filter }), { bom: true })
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="payments-${merchant.id.replace(/[^\w-]/g, '_')}.csv"`,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      },
      body: logged(pieces, error => {
        settings.logger.error(
          { err: error, merchantId: merchant.id },
          'a CSV file of payments ended in the middle',
        )
      }),
    }
  },
})

/** An answer that has begun cannot become an error page: what goes wrong in it is logged, and the connection is cut. */
async function* logged(pieces: AsyncIterable<string>, log: (error: unknown) => void): AsyncGenerator<string> {
  try {
    yield* pieces
  } catch (error) {
    log(error)
    throw error
  }
}
