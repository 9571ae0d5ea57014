import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './web/svelte.config.js';

/** Rules for everything written in TypeScript, in .ts and in .svelte files. */
const typescriptRules = {
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'no-console': ['error', { allow: ['warn', 'error'] }],
  'no-eval': 'error',
  'no-implied-eval': 'error',
  'no-new-func': 'error',
  'prefer-const': 'error',
};

export default ts.config(
  {
    ignores: [
      'dist/',
      'dist-release/',
      'target/',
      '.cache/',
      'web/.svelte-check/',
      'web/src/sim/pkg/',
      'web/src/sim/types/',
      'web/src/locales/.wuchale/',
      'public/',
      'test-results/',
      'playwright-report/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [ts.configs.strict, ts.configs.stylistic],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      ...typescriptRules,
      // An error in a promise that is not awaited would be lost.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    // After the TypeScript presets, which would otherwise set their own parser for components.
    files: ['**/*.svelte'],
    extends: [ts.configs.strict, ts.configs.stylistic, svelte.configs.recommended],
    languageOptions: {
      parserOptions: { parser: ts.parser, svelteConfig },
    },
    rules: {
      ...typescriptRules,
      // Knows that `let { a } = $props()` is the usual form.
      'prefer-const': 'off',
      'svelte/prefer-const': 'error',
    },
  },
  {
    files: ['**/*.svelte.ts'],
    extends: [svelte.configs.recommended],
    languageOptions: {
      parserOptions: { parser: ts.parser, svelteConfig },
    },
    rules: {
      // State has records beside reactive values, which must not cause updates.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    files: ['**/*.ts', '**/*.svelte'],
    rules: {
      // The compiler knows the names in scope better.
      'no-undef': 'off',
    },
  },
  {
    files: ['web/src/**'],
    languageOptions: { globals: globals.browser },
  },
  {
    // A component names what it needs of the page. Keys and notes, which reach everything, take it whole.
    files: ['web/src/view/**'],
    ignores: ['web/src/view/classroom/{ClassroomNotes,ClassroomPanel}.svelte'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "VariableDeclarator[id.type='Identifier'][init.callee.name='getLab']",
          message: 'Name the parts of the lab: getParts<…>(), or take them out of it at once.',
        },
      ],
    },
  },
  {
    // The state runs without a page; `browser` and `storage` provide the features of a page.
    files: ['web/src/state/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        'document',
        'window',
        'location',
        'history',
        'localStorage',
        'indexedDB',
        'navigator',
        'matchMedia',
        'requestAnimationFrame',
        'addEventListener',
      ],
    },
  },
  {
    // Examples for pages around an embedded one, the widget's front end, and the manual's search.
    files: ['docs/**', 'sim-core/python/**', 'web/manual/**'],
    languageOptions: { globals: { ...globals.browser, __SEARCH__: 'readonly' } },
  },
  {
    files: ['web/src/locales/*.js'],
    languageOptions: { globals: { __LOCALE__: 'readonly' } },
  },
  {
    files: ['scripts/**', '*.js', 'web/*.js', 'web/i18n/**', 'e2e/**'],
    languageOptions: { globals: globals.node },
    rules: { 'no-console': 'off' },
  },
  {
    // Parts of it run in the page that it takes pictures of.
    files: [
      'scripts/{screenshots,states,sheet,manual-pictures}.mjs',
      'scripts/measure/{first-picture,frames,seeks,lanes,loads}.mjs',
      'scripts/lib/{page-session,sheet-states,manual/pictures}.mjs',
    ],
    languageOptions: { globals: globals.browser },
  },
);
