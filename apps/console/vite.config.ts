import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { plainContracts, singleIcons } from './vite/plugins';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  cacheDir: here('../../node_modules/.vite/console'),
  plugins: [plainContracts(here('../../libs/contracts/src/index.ts'), here('../..')), singleIcons(), react()],
  resolve: { tsconfigPaths: true },
  // GATEWAY_URL is set by `npm run dev`, which serves the console and the gateway behind one origin
  server: { host: '127.0.0.1', port: 5173, proxy: { '^/(api|media|healthz)(/|$)': process.env.GATEWAY_URL ?? 'http://127.0.0.1:3000' } },
  build: {
    outDir: here('../../dist/apps/console'),
    emptyOutDir: true,
    chunkSizeWarningLimit: 700,
    // These modules have no side effects, so unused exports stay out of the bundle.
    rolldownOptions: {
      // One file for the packages that nearly every screen needs: otherwise each new screen splits them into smaller files, which compress worse.
      output: { codeSplitting: { groups: [{ name: 'packages', test: /node_modules/, minShareCount: 16 }] } },
      treeshake: { moduleSideEffects: (id) => !/plain-contracts|\0icon:|\/ui\/mui|\/libs\/(?:contracts|domain)\//u.test(id) },
    },
  },
});
