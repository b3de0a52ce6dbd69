import { FAULTS, fullTime, millis, time } from './format.js';
import { html } from './lib.js';
import { ListAndOne, Row } from './list.js';
import { Badge, Code, Copy, Empty, Facts, HttpStatus, Muted, Panel, Table } from './parts.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The filters with a choice, as the list wants them. */
const CHOICES = {
	method: ['Method', [['', 'All methods'], ...METHODS.map((name) => [name, name])]],
	status: [
		'Status',
		[
			['', 'All statuses'],
			['2xx', '2xx: succeeded'],
			['4xx', '4xx: rejected'],
			['5xx', '5xx: failed'],
			['422', '422: invalid'],
			['429', '429: too many'],
		],
	],
};

/** Shows the journal of requests to the service, next to the selected request. */
export function RequestsView({ id, query }) {
	const command = `curl ${location.origin}/api/v1/agents -H "Authorization: Bearer $TOKEN"`;
	const none = html`<${Empty} title="No requests yet">
		<p>
			Whatever n8n sends to the service shows up here. In n8n, open the credential and select Save, or use a shell:
		</p>
		<${Code} value=${command} label="the command" />
	</${Empty}>`;
	return html`<${ListAndOne}
		title="Requests"
		path="requests"
		item="request"
		query=${query}
		choices=${CHOICES}
		only=${{ path: 'Only one path' }}
		placeholder="Search paths, bodies, rejected fields…"
		selected=${id}
		row=${requestRow}
		empty=${none}
		show=${(request) => html`<${Details} request=${request} />`}
	/>`;
}

function requestRow(request) {
	const { rejected, fault, url, path, duration_ms: ms } = request;
	const fields = Object.keys(rejected?.fields ?? {}).join(', ');
	const rejection = rejected && [fields, rejected.message].filter(Boolean).join(': ');
	return html`<${Row}
		title=${html`<code>${request.method}</code> ${shortPath(path)}`}
		note=${rejection ?? (fault ? `Fault: ${FAULTS[fault]}` : url.slice(path.length))}
		state=${html`<${HttpStatus} status=${request.status} none=${withoutStatus(request)} />`}
		end=${`${ms === null ? '' : `${millis(ms)} · `}${time(request.at)}`}
	/>`;
}

function Details({ request }) {
	const { rejected, query, body, duration_ms: ms } = request;
	const fields = Object.entries(rejected?.fields ?? {}).map(([field, messages]) => [
		field,
		[messages].flat().join(' '),
	]);
	const isEmpty = [undefined, null, ''].includes(body);
	const copy = html`<${Copy} text=${request.curl} label="as curl">Copy as curl</${Copy}>`;
	return html`<${Panel} title=${`${request.method} ${request.path}`} actions=${copy}>
			<${Facts}
				rows=${[
					['Status', html`<${HttpStatus} status=${request.status} none=${withoutStatus(request)} />`],
					['Duration', ms === null ? null : millis(ms)],
					['Received', fullTime(request.at)],
					['Token', request.has_token ? 'Sent' : html`<${Badge} tone="warn" text="Missing" />`],
					['Content type', request.content_type],
					['Fault', FAULTS[request.fault]],
				]}
			/>
		</${Panel}>
		${
			rejected
				? html`<${Panel} title="Why it was rejected">
					<p>${rejected.message}</p>
					${fields.length > 0 ? html`<${Table} label="Rejected fields" rows=${Object.fromEntries(fields)} />` : null}
				</${Panel}>`
				: null
		}
		${
			Object.keys(query ?? {}).length > 0
				? html`<${Panel} title="Query"><${Code} value=${query} label="the query" /></${Panel}>`
				: null
		}
		<${Panel} title="Body">
			${isEmpty ? html`<${Muted}>It is empty.</${Muted}>` : html`<${Code} value=${body} label="the body" />`}
		</${Panel}>
		<${Panel} title="Send it again"><${Code} value=${request.curl} label="the command" /></${Panel}>`;
}

/** A path in which ids have only their beginning, so that the rest of it can be seen. */
function shortPath(path) {
	return path.replace(/^\/api\/v1/, '').replace(/([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '$1…');
}

/** Explains a missing status: a delayed request is not finished, and a dropped request never gets a response. */
function withoutStatus({ fault }) {
	return fault?.startsWith('drop') ? 'Dropped' : 'In progress';
}
