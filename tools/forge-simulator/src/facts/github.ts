/**
 * GitHub's operations that the simulator answers, as its published description has them: path, query, top-level body fields.
 * The notation is that of `description/read-facts.ts`. Used where the description itself is not at hand.
 */
export const githubFacts = `
DELETE /repos/{owner}/{repo}/branches/{branch*}/protection
DELETE /repos/{owner}/{repo}/git/refs/{ref*}
DELETE /repos/{owner}/{repo}/hooks/{hook_id}
DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}
DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions/{reaction_id}
DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels
DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}
DELETE /repos/{owner}/{repo}/issues/{issue_number}/reactions/{reaction_id}
DELETE /repos/{owner}/{repo}/labels/{name}
DELETE /repos/{owner}/{repo}/milestones/{milestone_number}
DELETE /repos/{owner}/{repo}/pulls/comments/{comment_id}
DELETE /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions/{reaction_id}
DELETE /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}
GET /app
GET /app/installations ?per_page=integer ?page=integer ?since=string ?outdated=string
GET /app/installations/{installation_id}
GET /installation/repositories ?per_page=integer ?page=integer
GET /rate_limit
GET /repos/{owner}/{repo}
GET /repos/{owner}/{repo}/branches ?protected=boolean ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/branches/{branch*}
GET /repos/{owner}/{repo}/branches/{branch*}/protection
GET /repos/{owner}/{repo}/check-runs/{check_run_id}
GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/collaborators ?affiliation=outside|direct|all ?permission=pull|triage|push|maintain|admin ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/collaborators/{username}/permission
GET /repos/{owner}/{repo}/commits ?sha=string ?path=string ?author=string ?committer=string ?since=string ?until=string ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/commits/{ref*} ?page=integer ?per_page=integer
GET /repos/{owner}/{repo}/commits/{ref*}/check-runs ?check_name=string ?status=queued|in_progress|completed ?filter=latest|all ?per_page=integer ?page=integer ?app_id=integer
GET /repos/{owner}/{repo}/commits/{ref*}/status ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/commits/{ref*}/statuses ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/compare/{basehead*} ?page=integer ?per_page=integer
GET /repos/{owner}/{repo}/contents/{path*} ?ref=string
GET /repos/{owner}/{repo}/git/blobs/{file_sha}
GET /repos/{owner}/{repo}/git/commits/{commit_sha*}
GET /repos/{owner}/{repo}/git/ref/{ref*}
GET /repos/{owner}/{repo}/git/trees/{tree_sha*} ?recursive=string
GET /repos/{owner}/{repo}/hooks ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/hooks/{hook_id}
GET /repos/{owner}/{repo}/hooks/{hook_id}/deliveries ?per_page=integer ?cursor=string ?status=success|failure
GET /repos/{owner}/{repo}/hooks/{hook_id}/deliveries/{delivery_id}
GET /repos/{owner}/{repo}/installation
GET /repos/{owner}/{repo}/issues ?milestone=string ?state=open|closed|all ?assignee=string ?type=string ?creator=string ?mentioned=string ?issue_field_values=string ?labels=string ?sort=created|updated|comments ?direction=asc|desc ?since=string ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/issues/comments ?sort=created|updated ?direction=asc|desc ?since=string ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/issues/comments/{comment_id}
GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions ?content=+1|-1|laugh|confused|heart|hooray|rocket|eyes ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/issues/{issue_number}
GET /repos/{owner}/{repo}/issues/{issue_number}/comments ?since=string ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/issues/{issue_number}/events ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/issues/{issue_number}/labels ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/issues/{issue_number}/reactions ?content=+1|-1|laugh|confused|heart|hooray|rocket|eyes ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/issues/{issue_number}/timeline ?per_page=integer ?page=integer ?exclude=string
GET /repos/{owner}/{repo}/labels ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/labels/{name}
GET /repos/{owner}/{repo}/milestones ?state=open|closed|all ?sort=due_on|completeness ?direction=asc|desc ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/milestones/{milestone_number}
GET /repos/{owner}/{repo}/pulls ?state=open|closed|all ?head=string ?base=string ?sort=created|updated|popularity|long-running ?direction=asc|desc ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/pulls/comments ?sort=created|updated|created_at ?direction=asc|desc ?since=string ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/pulls/comments/{comment_id}
GET /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions ?content=+1|-1|laugh|confused|heart|hooray|rocket|eyes ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/pulls/{pull_number}
GET /repos/{owner}/{repo}/pulls/{pull_number}/comments ?sort=created|updated ?direction=asc|desc ?since=string ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/pulls/{pull_number}/commits ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/pulls/{pull_number}/files ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/pulls/{pull_number}/merge
GET /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers
GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}
GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/rules/branches/{branch*} ?per_page=integer ?page=integer
GET /repos/{owner}/{repo}/tarball/{ref*}
GET /repos/{owner}/{repo}/zipball/{ref*}
GET /user
GET /users/{username}
PATCH /repos/{owner}/{repo}/check-runs/{check_run_id} : name=string details_url=string external_id=string started_at=string status=queued|in_progress|completed|waiting|requested|pending conclusion=action_required|cancelled|failure|neutral|success|skipped|stale|timed_out completed_at=string output=object actions=[]object
PATCH /repos/{owner}/{repo}/git/refs/{ref*} : sha!=string force=boolean
PATCH /repos/{owner}/{repo}/hooks/{hook_id} : config=object events=[]string add_events=[]string remove_events=[]string active=boolean
PATCH /repos/{owner}/{repo}/issues/comments/{comment_id} : body!=string
PATCH /repos/{owner}/{repo}/issues/{issue_number} : title=any body=string? assignee=string? state=open|closed state_reason=completed|not_planned|duplicate|reopened? duplicate_issue_id=integer milestone=any labels=array assignees=array issue_field_values=[]object type=any
PATCH /repos/{owner}/{repo}/labels/{name} : new_name=string color=string description=string
PATCH /repos/{owner}/{repo}/milestones/{milestone_number} : title=string state=open|closed description=string due_on=string
PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id} : body!=string
PATCH /repos/{owner}/{repo}/pulls/{pull_number} : title=string body=string state=open|closed base=string maintainer_can_modify=boolean
POST /app-manifests/{code}/conversions
POST /app/installations/{installation_id}/access_tokens : repositories=[]string repository_ids=[]integer permissions=object
POST /repos/{owner}/{repo}/check-runs : name!=string head_sha!=string details_url=string external_id=string status=queued|in_progress|completed started_at=string conclusion=action_required|cancelled|failure|neutral|success|skipped|stale|timed_out completed_at=string output=object actions=[]object
POST /repos/{owner}/{repo}/git/blobs : content!=string encoding=string
POST /repos/{owner}/{repo}/git/commits : message!=string tree!=string parents=[]string author=object committer=object signature=string
POST /repos/{owner}/{repo}/git/refs : ref!=string sha!=string
POST /repos/{owner}/{repo}/git/trees : tree!=[]object base_tree=string
POST /repos/{owner}/{repo}/hooks : name=string config=object events=[]string active=boolean
POST /repos/{owner}/{repo}/hooks/{hook_id}/deliveries/{delivery_id}/attempts
POST /repos/{owner}/{repo}/hooks/{hook_id}/pings
POST /repos/{owner}/{repo}/hooks/{hook_id}/tests
POST /repos/{owner}/{repo}/issues : title!=any body=string assignee=string? milestone=any labels=array assignees=[]string issue_field_values=[]object type=string?
POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions : content!=+1|-1|laugh|confused|heart|hooray|rocket|eyes
POST /repos/{owner}/{repo}/issues/{issue_number}/comments : body!=string
POST /repos/{owner}/{repo}/issues/{issue_number}/labels : -
POST /repos/{owner}/{repo}/issues/{issue_number}/reactions : content!=+1|-1|laugh|confused|heart|hooray|rocket|eyes
POST /repos/{owner}/{repo}/labels : name!=string color=string description=string
POST /repos/{owner}/{repo}/milestones : title!=string state=open|closed description=string due_on=string
POST /repos/{owner}/{repo}/pulls : title=string head!=string head_repo=string base!=string body=string maintainer_can_modify=boolean draft=boolean issue=integer
POST /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions : content!=+1|-1|laugh|confused|heart|hooray|rocket|eyes
POST /repos/{owner}/{repo}/pulls/{pull_number}/comments : body!=string commit_id!=string path!=string position=integer side=LEFT|RIGHT line=integer start_line=integer start_side=LEFT|RIGHT|side in_reply_to=integer subject_type=line|file
POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies : body!=string
POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers : reviewers=[]string team_reviewers=[]string
POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews : commit_id=string body=string event=APPROVE|REQUEST_CHANGES|COMMENT comments=[]object
POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/events : body=string event!=APPROVE|REQUEST_CHANGES|COMMENT
POST /repos/{owner}/{repo}/statuses/{sha*} : state!=error|failure|pending|success target_url=string? description=string? context=string
PUT /repos/{owner}/{repo}/branches/{branch*}/protection : required_status_checks!=object? enforce_admins!=boolean? required_pull_request_reviews!=object? restrictions!=object? required_linear_history=boolean allow_force_pushes=boolean? allow_deletions=boolean block_creations=boolean required_conversation_resolution=boolean lock_branch=boolean allow_fork_syncing=boolean
PUT /repos/{owner}/{repo}/contents/{path*} : message!=string content!=string sha=string branch=string committer=object author=object
PUT /repos/{owner}/{repo}/issues/{issue_number}/labels : -
PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge : commit_title=string commit_message=string sha=string merge_method=merge|squash|rebase
PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id} : body!=string
PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/dismissals : message!=string event=DISMISS
`;
