/** How certificates are looked at. */
export interface Tls {
  /** Certificates of authorities to be trusted, in PEM. Node's own when left out. */
  ca?: string
  /** False trusts any certificate: for servers of one's own machine. */
  rejectUnauthorized?: boolean
}
