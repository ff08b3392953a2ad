/** True for an id that no merchant has: the engine would take it for null, by which Citus finds no node, and ends in a crash. */
export function isNobody(merchantId: string): boolean {
  return merchantId.includes('\0')
}
