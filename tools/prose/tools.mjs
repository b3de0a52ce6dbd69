// The libraries of this folder, for scripts/prose.mts: imports are looked up from the file that they are in.
export { TextlintKernel } from '@textlint/kernel';
export { default as markdown } from '@textlint/textlint-plugin-markdown';
export { spellCheckDocument } from 'cspell-lib';
export { default as noTodo } from 'textlint-rule-no-todo';
export { default as sentenceLength } from 'textlint-rule-sentence-length';
export { default as terminology } from 'textlint-rule-terminology';

export { default as doubledWord } from './rules/doubledWord.cjs';
