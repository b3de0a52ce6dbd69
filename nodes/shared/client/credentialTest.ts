import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { byTest, filled } from '../errors/catalog';
import { messageWithAdvice, toResult } from '../errors/serviceError';
import { assertToken } from '../keys';
import { isRecord } from '../lib/json';
import { authorize } from './authorize';
import { notTheService, refusal } from './refusals';
import { assertLimits, connectionOf, sendBy } from './transport';

const TEST_TIMEOUT_SECONDS = 10;

/** The error codes of the test for statuses for which the node's texts do not fit. */
const codes = { 200: 'TEST_FAILED', 403: 'TEST_FORBIDDEN', 429: 'TEST_TOO_SOON' } as const;

/** Lists one agent, like a node does. @throws ServiceError and, for an invalid Base URL, Error */
async function listOneAgent(
	caller: ICredentialTestFunctions,
	credentials: ICredentialDataDecryptedObject,
): Promise<void> {
	const connection = connectionOf(credentials);
	assertLimits(connection);
	assertToken(credentials.environmentToken);
	// `request` is the only function that n8n offers here, and it uses other names for the options of a request.
	const body = await sendBy(
		async (options) => {
			const authorized = await authorize(credentials, options);
			return await caller.helpers.request({ ...authorized, simple: false, resolveWithFullResponse: true });
		},
		connection,
		{ method: 'GET', path: ['agents'], query: { per_page: 1 }, codes },
		TEST_TIMEOUT_SECONDS,
	);
	assertSuccess(body);
}

/**
 * Checks that a success response is one of the service: a proxy or the service can send an error with HTTP status 200,
 * and at a wrong address any other server can respond.
 *
 * @throws ServiceError for a body that is an error of the service, or not from the service
 */
function assertSuccess(body: IDataObject): void {
	const isError = 'status_code' in body || isRecord(body.error) || ('success' in body && body.success !== true);
	if (isError) {
		const status = Number(body.status_code);
		throw refusal(status >= 400 && status <= 599 ? status : 200, body, codes);
	}
	if (body.success !== true && !Array.isArray(body.data)) {
		throw notTheService(200);
	}
}

/** Runs n8n's credential test: checks whether the service accepts the token. It never places a call. */
export async function testVoiceAgentCallingApi(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { error } = await toResult(listOneAgent(this, data));
	if (error === undefined) {
		return { status: 'OK', message: 'Connection successful!' };
	}
	const ownText = byTest[error.code];
	const message = ownText === undefined ? messageWithAdvice(error) : filled(ownText, { seconds: TEST_TIMEOUT_SECONDS });
	return { status: 'Error', message };
}
