/** Writes amounts of cents: `12.50 EUR` where the currency is known, the cents themselves where it is not. */
export function amounts(currency: string | undefined): (cents: number | null) => string | number | null {
  if (currency === undefined) return cents => cents
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return cents => {
    if (cents === null) return null
    const text = String(Math.abs(cents)).padStart(digits + 1, '0')
    const point = text.length - digits
    const whole = digits === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`
    return `${cents < 0 ? '-' : ''}${whole} ${currency}`
  }
}
