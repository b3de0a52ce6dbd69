import { useLoaded } from './api.js';
import { count, duration, plural, time, words } from './format.js';
import { html } from './lib.js';
import { PagedList, usePages } from './list.js';
import { Badge, Empty, Facts, Loaded, Panel, toneOf, WebhookLinks } from './parts.js';
import { linkTo } from './route.js';

export function progressText({ over, total }) {
	return `${count(over)} of ${plural(total, 'call')} over (${Math.round((over / total) * 100)} %)`;
}

/** A campaign: how far it is, what became of its calls, and the calls. */
export function CampaignDetail({ id }) {
	const path = `campaigns/${encodeURIComponent(id)}`;
	const concerns = (change) => change.id === id || change.campaign_id === id || change.type === 'object';
	const campaign = useLoaded(path, concerns);
	const webhooks = useLoaded('webhooks', ({ type }) => type === 'object');
	const list = usePages(
		`${path}/calls`,
		{},
		({ type, campaign_id }) => type === 'campaign_call' && campaign_id === id,
		(call, change) => ({ ...call, status: change.status }),
	);
	const back = '#/objects/campaigns';
	const own = (webhooks.data ?? []).filter(({ campaign_id }) => campaign_id === id);
	return html`<p class="crumbs"><a href=${back}>← All campaigns</a></p>
		<${Loaded} from=${campaign} back=${back}>${(data) => html`
			<div class="titleRow"><h2 class="title">${data.name}</h2><${Badge} status=${data.status} /></div>
			<div class="columns">
				<div>
					<${Panel} title="Progress">
						${
							data.progress.total === 0
								? html`<p class="muted">No calls in the queue yet. Add some in n8n with the operation Campaign → Queue Call.</p>`
								: html`<progress max=${data.progress.total} value=${data.progress.over} aria-label="Progress"></progress>
										<p>${progressText(data.progress)}</p>
										<${Outcomes} statuses=${data.progress.statuses} total=${data.progress.total} />`
						}
					</${Panel}>
					<section class="panel listPanel" aria-labelledby="queued">
						<header><h2 id="queued">Queued calls</h2></header>
						<${PagedList}
							list=${list}
							label="Queued calls"
							noun="call"
							href=${(call) => linkTo(['calls', call.id])}
							row=${queuedRow}
							empty=${html`<${Empty} title="The queue is empty" />`}
						/>
					</section>
				</div>
				<div>
					<${Panel} title="Details">
						<${Facts}
							rows=${[
								['Type', data.campaign_type && words(data.campaign_type)],
								['Description', data.description],
								[
									'Agent',
									data.agent && html`<a href=${linkTo(['objects', 'agents', data.agent.id])}>${data.agent.name}</a>`,
								],
								[
									'Hours',
									`${data.earliest_call_time.slice(0, 5)} to ${data.latest_call_time.slice(0, 5)}, ${data.timezone}`,
								],
								['Retries', `${data.max_retries}, after ${plural(data.retry_cooldown_hours, 'hour')}`],
								['Calls', html`<a href=${linkTo(['calls'], { campaignId: id })}>Calls of this campaign</a>`],
								['Campaign ID', html`<code>${id}</code>`],
							]}
						/>
					</${Panel}>
					<${Panel} title="Webhooks"><${WebhookLinks} webhooks=${own} /></${Panel}>
				</div>
			</div>
		`}</${Loaded}>`;
}

/** Bars with names and numbers: how many calls have which status. */
function Outcomes({ statuses, total }) {
	const bars = Object.entries(statuses).sort(([, one], [, other]) => other - one);
	return html`<table class="bars" aria-label="Calls by status">
		<tbody>
			${bars.map(
				([status, amount]) => html`<tr key=${status}>
					<th scope="row"><${Badge} status=${status} /></th>
					<td class="barCell"><span class=${`bar ${toneOf(status)}`} style=${{ width: `${(amount / total) * 100}%` }}></span></td>
					<td class="amount">${count(amount)}</td>
				</tr>`,
			)}
		</tbody>
	</table>`;
}

function queuedRow(call) {
	return html`<span class="rowMain"><strong>${call.to}</strong><span class="muted">${call.retries > 0 ? plural(call.retries, 'retry', 'retries') : 'First attempt'}${call.is_testing ? ', test' : ''}</span></span>
		<span class="rowSide"><${Badge} status=${call.status} /><span class="muted">${call.duration > 0 ? `${duration(call.duration)} · ` : ''}${time(call.scheduled_at ?? call.created_at)}</span></span>`;
}
