export { type Content, Html, html, trusted } from '@tillkit/http'
