import type { Till } from '@tillkit/till'
import type { Checked } from './options.ts'

/** The till as if there were no scan codes but those that the host takes payments on. */
export function withOpenCodes(till: Till, accepts: Checked['accepts']): Till {
  const get: Till['scanCodes']['get'] = async code => {
    const found = await till.scanCodes.get(code)
    const merchant = found && (await till.merchants.get(found.merchantId))
    return merchant && (await accepts(code, merchant)) ? found : null
  }
  return { ...till, scanCodes: { ...till.scanCodes, get } }
}
