// Packages of which a part is in the bundle; the tests compare the list with the modules of the build.
export const BUNDLED = [
  '@codemirror/commands',
  '@codemirror/language',
  '@codemirror/lint',
  '@codemirror/state',
  '@codemirror/view',
  '@lezer/common',
  '@lezer/highlight',
  '@marijn/find-cluster-break',
  'clsx',
  'crelt',
  'style-mod',
  'svelte',
  'w3c-keyname',
];
