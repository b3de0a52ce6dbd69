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

/** The only file that reads times: elsewhere, a time without a zone would be one in the time zone of n8n's process. */
const TIMES = 'nodes/shared/lib/time.ts';
const noOwnTimes = [
	"MemberExpression[object.name='Date'][property.name='parse']",
	"NewExpression[callee.name='Date'][arguments.length>0]",
].map((selector) => ({ selector, message: `Use timeIn, isoOf or dateAt of ${TIMES}.` }));

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
	{ files: ['**/*.ts'], ignores: [TIMES], rules: { 'no-restricted-syntax': ['error', ...noOwnTimes] } },
	{ files: ['sandbox/**/*.mts'], rules: noCodeFrom('nodes') },
]);
