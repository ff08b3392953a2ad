import { defineConfig } from 'tsup'
import shared from '../../tsup.config.ts'

/** As every package's; and the signer goes into it, types too, for a merchant is to install one package with nothing behind it. */
export default defineConfig({
  ...shared,
  esbuildOptions: options => {
    options.conditions = ['@tillkit/source']
  },
  dts: { resolve: ['@tillkit/webhook-signer'] },
})
