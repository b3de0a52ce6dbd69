// What n8n's own configuration leaves alone: everything that is .mts, and who may import from whom.
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** The two sides of the wire are written apart, so that a mistake in one shows against the other. */
const noCodeFrom = (folder) => ({
	'no-restricted-imports': [
		'error',
		{ patterns: [{ group: [`**/${folder}/**`], message: 'Sandbox and nodes share no code.' }] },
	],
});

export default defineConfig([
	globalIgnores(['.cache', '**/dist']),
	{
		files: ['**/*.mts'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		rules: {
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
			// One way to mark what is private, in .ts and .mts.
			'no-restricted-syntax': ['error', { selector: 'PrivateIdentifier', message: 'Use the modifier private.' }],
		},
	},
	{ files: ['**/*.ts'], extends: [tseslint.configs.base], rules: noCodeFrom('sandbox') },
	{ files: ['sandbox/**/*.mts'], rules: noCodeFrom('nodes') },
]);
