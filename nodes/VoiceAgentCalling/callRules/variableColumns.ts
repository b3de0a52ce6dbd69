import type { ILoadOptionsFunctions, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';

import { connect, send } from '../../shared/client/transport';
import { asNodeError } from '../../shared/errors/nodeError';
import { isGone, type ServiceError, sentences, toResult } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/json';
import { asHtml } from '../../shared/lib/text';
import { nameOf, type ReadObject, readAgent } from './agent';

const OTHERS = 'For other names, use Options → Variables (JSON).';

/** Needed because the editor can still show the variables of the agent that was chosen before. */
const REREAD = 'For another agent, run the previous nodes and open this node again.';

/** Returns the variables of the chosen agent, or of the chosen campaign's agent, as the columns of Agent Variables. */
export async function agentVariableColumns(caller: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const { value, error } = await toResult(columns(caller));
	if (error === undefined) {
		return value;
	}
	// The editor shows a notice but not the message of an error. Without columns, however, it would delete the values
	// that the user has mapped: an error keeps them.
	if (storedColumns(caller).length > 0) {
		throw asNodeError(caller.getNode(), error);
	}
	return notice(noticeOf(error));
}

async function columns(caller: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const isCampaign = caller.getCurrentNodeParameter('resource') === 'campaign';
	const owner = isCampaign ? 'campaign' : 'agent';
	const id = caller.getCurrentNodeParameter(owner, { extractValue: true });
	if (typeof id !== 'string' || id === '') {
		// Stored columns are returned, because the editor removes columns that are missing here.
		return notice(
			`The expression for the ${owner} has no value yet: run the previous nodes and open this node again, or choose 'Map Automatically'. ${OTHERS}`,
			storedColumns(caller),
		);
	}
	const connection = await connect(caller);
	const read: ReadObject = async (path) => {
		const { value: body, error } = await toResult(send(caller, connection, { method: 'GET', path }));
		if (error && !isGone(error)) {
			throw error;
		}
		return isRecord(body?.data) ? body.data : undefined;
	};
	const campaign = isCampaign ? await read(['campaigns', id]) : undefined;
	const agentId = isCampaign ? campaign?.agent_id : id;
	const agent = typeof agentId === 'string' ? await readAgent(read, agentId) : undefined;
	if (agent === undefined) {
		const mistake =
			isCampaign && campaign
				? 'The campaign has no agent: choose one with Campaign, Update.'
				: `The ${owner} does not exist: choose another one.`;
		return notice(`${mistake} ${OTHERS}`, storedColumns(caller));
	}
	const { placeholders, readsFlow, note = '' } = agent;
	const name = asHtml(nameOf(agent.agent, agentId as string));
	const hasNone = placeholders.length === 0;
	// Without variables, the editor shows no other title of the field.
	const names = hasNone ? `Agent Variables: ${name} has none.` : `Variables of ${name}: ${placeholders.join(', ')}.`;
	const flow = readsFlow ? '' : "The token may not read the agent's flow, which can have more.";
	// Without variables, the name alone tells whose they would be.
	const more = hasNone && readsFlow ? [] : [OTHERS, REREAD];
	const parts = [names, flow, asHtml(note), ...more].filter((sentence) => sentence !== '');
	return { fields: placeholders.map(column), emptyFieldsNotice: parts.join(' ') };
}

function column(name: string): ResourceMapperField {
	return { id: name, displayName: name, type: 'string', required: false, defaultMatch: false, display: true };
}

function notice(text: string, fields: ResourceMapperFields['fields'] = []): ResourceMapperFields {
	return { fields, emptyFieldsNotice: text };
}

/** Returns the notice for an error, without tags: the editor shows a notice as HTML. */
function noticeOf({ message, advice }: ServiceError): string {
	return `The variables cannot be read. ${sentences(message, advice)}`.replace(/[<>]/g, '');
}

/** Returns the columns in the stored value of Agent Variables. */
function storedColumns(caller: ILoadOptionsFunctions): ResourceMapperField[] {
	const mapping: unknown = caller.getCurrentNodeParameter('agentVariables');
	return isRecord(mapping) && Array.isArray(mapping.schema) ? (mapping.schema as ResourceMapperField[]) : [];
}
