import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const community = n8nCommunityNodesPlugin.configs.recommended;

/** The two sides of the wire are written apart, so that a mistake in one shows against the other. */
const noCodeFrom = (folder) => ({
	'no-restricted-imports': [
		'error',
		{ patterns: [{ group: [`**/${folder}/**`], message: 'Sandbox and nodes share no code.' }] },
	],
});

export default defineConfig([
	globalIgnores(['**/dist', '**/node_modules', '**/.cache/*', '!**/.cache/rendered']),
	{
		files: ['**/*.ts', '**/*.mts'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
		linterOptions: { reportUnusedDisableDirectives: 'error' },
	},
	{
		files: ['**/*.ts'],
		extends: [community, importX.configs['flat/recommended']],
		settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
		rules: { 'no-console': 'error', ...noCodeFrom('sandbox') },
	},
	{ files: ['**/*.ts', 'package.json'], plugins: { 'n8n-nodes-base': n8nNodesBase } },
	{
		files: ['package.json'],
		extends: [community],
		rules: n8nNodesBase.configs.community.rules,
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
	},
	// Three rules are off, as in n8n's own configuration, where the community rules ask for the opposite:
	// the documentation as an address, and connections as NodeConnectionTypes.
	{
		files: ['**/credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['**/nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
	{
		files: ['**/*.mts'],
		rules: { '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }] },
	},
	{ files: ['sandbox/**/*.mts'], rules: noCodeFrom('nodes') },
]);
