import type { INode } from 'n8n-workflow';

import { asNodeError } from '../../../../nodes/shared/errors/nodeError.ts';
import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';

const nodeOf = (type: string) => ({ name: 'Phone', type, typeVersion: 1, parameters: {} }) as unknown as INode;

const errors = [undefined, 409].map(
	(httpStatus) =>
		new ServiceError('The line is busy', { code: 'UNEXPECTED', advice: 'Call later.', accepted: 'no', httpStatus }),
);

test.each(errors)(
	'What an AI agent is told is one text: some versions of n8n tell it only the description',
	(error) => {
		const { message, description } = asNodeError(nodeOf('voiceAgentCallingTool'), error, 0, '1 failed.');
		expect(message).toBe('The line is busy. Call later. 1 failed.');
		expect(description).toBeUndefined();
	},
);

test.each(errors)('In the editor the message says what happened, and the description what to do', (error) => {
	const { message, description } = asNodeError(nodeOf('voiceAgentCalling'), error, 1, '1 failed.');
	expect(message).toBe('The line is busy [item 1]');
	expect(description).toBe('Call later. 1 failed.');
});
