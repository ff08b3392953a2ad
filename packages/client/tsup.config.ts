import { resolve } from 'node:path'
import { defineConfig } from 'tsup'
import shared from '../../tsup.config.ts'

const SIGNER = '@tillkit/webhook-signer'

/** As every package's; and the signer goes into it, types too, for a merchant is to install one package with nothing behind it. */
export default defineConfig({
  ...shared,
  esbuildOptions: options => {
    options.conditions = ['@tillkit/source']
  },
  // By its path, for types of what is found in node_modules are left there.
  dts: { compilerOptions: { paths: { [SIGNER]: [resolve('../webhook-signer/src/index.ts')] } } },
})
