/** The rows `n` from `first` to `last`, as a table of a statement: MySQL has no sequences, and ends what is recursive after a thousand. */
export const mysqlNumbers = (first: number | string, last: number | string): string =>
  `(select n + ${first} - 1 as n from json_table(
     concat('[0', repeat(',0', ${last} - ${first}), ']'), '$[*]' columns (n for ordinality)
   ) as numbers)`
