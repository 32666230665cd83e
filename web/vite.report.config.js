import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// The script of exported pages: one file without the editor, wrapped so that it can stand in the page itself.
export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2022',
    cssCodeSplit: false,
    lib: { entry: 'src/report.ts', name: 'goalspecReport', formats: ['iife'], fileName: () => 'report.js', cssFileName: 'report' },
  },
});
