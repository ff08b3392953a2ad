export { type CsvOptions, PAYMENT_COLUMNS, toCsv } from './csv.ts'
export { toNdjson } from './ndjson.ts'
