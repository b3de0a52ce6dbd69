import { useLoaded } from './api.js';
import { fullTime, millis, time } from './format.js';
import { html } from './lib.js';
import { PagedList, usePages } from './list.js';
import { Badge, Code, Copy, Empty, Facts, FilterText, HttpStatus, Loaded, Panel, Select } from './parts.js';
import { linkTo, replaceWith } from './route.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The journal of requests to the service, beside the one that is chosen. */
export function RequestsView({ id, query }) {
	const { q = '', method = '', status = '', path = '' } = query;
	const list = usePages(
		'requests',
		{ q, method, status, path },
		({ type }) => type === 'request',
		(item, change) => ({ ...item, status: change.status }),
	);
	const filter = (more) => replaceWith(linkTo(['requests', ...(id ? [id] : [])], { ...query, ...more }));
	const filtered = Object.values(query).some(Boolean);
	return html`<div class=${id ? 'split open' : 'split'}>
		<section class="panel listPanel listSide" aria-labelledby="requests">
			<header>
				<h2 id="requests">Requests</h2>
				<div class="filters">
					<${FilterText} value=${q} onChange=${(value) => filter({ q: value })} label="Filter requests" placeholder="Path, body, rejected field…" />
					<${Select} aria-label="Method" value=${method} onChange=${(value) => filter({ method: value })} options=${[['', 'All methods'], ...METHODS.map((name) => [name, name])]} />
					<${Select} aria-label="Status" value=${status} onChange=${(value) => filter({ status: value })} options=${[['', 'All statuses'], ['2xx', '2xx: succeeded'], ['4xx', '4xx: rejected'], ['5xx', '5xx: failed'], ['422', '422: invalid'], ['429', '429: too many']]} />
				</div>
			</header>
			<${PagedList}
				list=${list}
				label="Requests"
				noun="request"
				selected=${id}
				href=${(item) => linkTo(['requests', item.id], query)}
				row=${requestRow}
				empty=${
					filtered
						? html`<${Empty} title="No request matches"><p><a class="button" href="#/requests">Show all requests</a></p></${Empty}>`
						: html`<${Empty} title="No requests yet"><p>Whatever n8n sends to the service shows up here. In n8n, open the credential and select Save, or use a shell:</p><${Code} value=${`curl ${location.origin}/api/v1/agents -H "Authorization: Bearer $TOKEN"`} label="the command" /></${Empty}>`
				}
			/>
		</section>
		<div class="detail">
			${
				id
					? html`<p class="backLink"><a href=${linkTo(['requests'], query)}>← All requests</a></p>
							<${Request} key=${id} id=${id} />`
					: html`<${Empty} title="Choose a request"><p>You see its body, why it was rejected, and how to send it again.</p></${Empty}>`
			}
		</div>
	</div>`;
}

function requestRow(item) {
	const { rejected } = item;
	const fields = Object.keys(rejected?.fields ?? {});
	return html`<span class="rowMain">
			<strong><code>${item.method}</code> ${shortPath(item.path)}</strong>
			<span class="muted">${rejected ? `${fields.length > 0 ? `${fields.join(', ')}: ` : ''}${rejected.message}` : item.fault ? `Fault: ${item.fault}` : item.url.slice(item.path.length) || ' '}</span>
		</span>
		<span class="rowSide">
			<${HttpStatus} status=${item.status} none=${withoutStatus(item)} />
			<span class="muted">${item.duration_ms === null ? '' : `${millis(item.duration_ms)} · `}${time(item.at)}</span>
		</span>`;
}

function Request({ id }) {
	const request = useLoaded(
		`requests/${encodeURIComponent(id)}`,
		(change) => change.type === 'request' && change.id === id,
	);
	return html`<${Loaded} from=${request} back="#/requests">${(data) => html`<${Details} request=${data} />`}</${Loaded}>`;
}

function Details({ request }) {
	const { rejected, query, body } = request;
	const fields = Object.entries(rejected?.fields ?? {});
	return html`<${Panel} title=${`${request.method} ${request.path}`} actions=${html`<${Copy} text=${request.curl} label="as curl">Copy as curl</${Copy}>`}>
			<${Facts}
				rows=${[
					['Status', html`<${HttpStatus} status=${request.status} none=${withoutStatus(request)} />`],
					['Duration', request.duration_ms === null ? null : millis(request.duration_ms)],
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
						${fields.length > 0 ? html`<table aria-label="Rejected fields"><tbody>${fields.map(([field, messages]) => html`<tr key=${field}><th scope="row"><code>${field}</code></th><td>${[messages].flat().join(' ')}</td></tr>`)}</tbody></table>` : null}
					</${Panel}>`
				: null
		}
		${Object.keys(query ?? {}).length > 0 ? html`<${Panel} title="Query"><${Code} value=${query} label="the query" /></${Panel}>` : null}
		<${Panel} title="Body">${body === undefined || body === null || body === '' ? html`<p class="muted">It has none.</p>` : html`<${Code} value=${body} label="the body" />`}</${Panel}>
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
