/**
 * The headers of each answer that is a page, whoever writes it: it runs what its policy lets it, is in no frame, in no cache and in
 * no index, and tells other sites nothing.
 */
export function pageGuards(contentSecurityPolicy: string): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    // Other sites learn nothing; to its own the browser still says where a form comes from.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
  }
}
