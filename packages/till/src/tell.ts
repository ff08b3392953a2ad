/** Tells a host's function what nobody waits for to be heard: what it throws, or its promise rejects with, is passed over. */
export function tell<Given>(hears: ((given: Given) => unknown) | undefined, given: Given): void {
  try {
    Promise.resolve(hears?.(given)).catch(() => {})
  } catch {}
}
