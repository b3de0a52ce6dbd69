import { useLoaded } from './api.js';
import { fullTime, millis, time } from './format.js';
import { html } from './lib.js';
import { FilteredList, Row } from './list.js';
import { Badge, Code, Copy, Empty, Facts, HttpStatus, Loaded, Muted, Panel, Table } from './parts.js';
import { linkTo } from './route.js';

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

/** The journal of requests to the service, beside the one that is chosen. */
export function RequestsView({ id, query }) {
	const command = `curl ${location.origin}/api/v1/agents -H "Authorization: Bearer $TOKEN"`;
	const none = html`<${Empty} title="No requests yet">
		<p>
			Whatever n8n sends to the service shows up here. In n8n, open the credential and select Save, or use a shell:
		</p>
		<${Code} value=${command} label="the command" />
	</${Empty}>`;
	return html`<div class=${id ? 'split open' : 'split'}>
		<${FilteredList}
			title="Requests"
			path="requests"
			item="request"
			query=${query}
			choices=${CHOICES}
			only=${{ path: 'Of one path' }}
			placeholder="Path, body, rejected field…"
			selected=${id}
			row=${requestRow}
			empty=${none}
		/>
		<div class="stack">
			${
				id
					? html`<p><a href=${linkTo(['requests'], query)}>← All requests</a></p>
						<${Request} key=${id} id=${id} />`
					: html`<${Empty} title="Choose a request">
						<p>You see its body, why it was rejected, and how to send it again.</p>
					</${Empty}>`
			}
		</div>
	</div>`;
}

function requestRow(request) {
	const { rejected, fault, url, path, duration_ms: ms } = request;
	const fields = Object.keys(rejected?.fields ?? {}).join(', ');
	return html`<${Row}
		title=${html`<code>${request.method}</code> ${shortPath(path)}`}
		note=${rejected ? [fields, rejected.message].filter(Boolean).join(': ') : fault ? `Fault: ${fault}` : url.slice(path.length)}
		state=${html`<${HttpStatus} status=${request.status} none=${withoutStatus(request)} />`}
		end=${`${ms === null ? '' : `${millis(ms)} · `}${time(request.at)}`}
	/>`;
}

function Request({ id }) {
	const request = useLoaded(
		`requests/${encodeURIComponent(id)}`,
		(change) => change.type === 'request' && change.id === id,
	);
	return html`<${Loaded} from=${request} back="#/requests">
		${(data) => html`<${Details} request=${data} />`}
	</${Loaded}>`;
}

function Details({ request }) {
	const { rejected, query, body, duration_ms: ms } = request;
	const fields = Object.entries(rejected?.fields ?? {}).map(([field, messages]) => [
		field,
		[messages].flat().join(' '),
	]);
	const copy = html`<${Copy} text=${request.curl} label="as curl">Copy as curl</${Copy}>`;
	return html`<${Panel} title=${`${request.method} ${request.path}`} actions=${copy}>
			<${Facts}
				rows=${[
					['Status', html`<${HttpStatus} status=${request.status} none=${withoutStatus(request)} />`],
					['Duration', ms === null ? null : millis(ms)],
					['At', fullTime(request.at)],
					['Token', request.has_token ? 'Sent' : html`<${Badge} tone="warn" text="Missing" />`],
					['Content type', request.content_type],
					['Fault', request.fault],
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
			${[undefined, null, ''].includes(body) ? html`<${Muted}>It has none.</${Muted}>` : html`<${Code} value=${body} label="the body" />`}
		</${Panel}>
		<${Panel} title="Send it again"><${Code} value=${request.curl} label="the command" /></${Panel}>`;
}

/** A path in which ids have only their beginning, so that the rest of it can be seen. */
function shortPath(path) {
	return path.replace(/^\/api\/v1/, '').replace(/([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '$1…');
}

/** Why a request has no status: a delayed one has none yet, and a dropped one never gets any. */
function withoutStatus({ fault }) {
	return fault?.startsWith('drop') ? 'Dropped' : 'In progress';
}
