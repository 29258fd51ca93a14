"""The vocabulary of `words`: section titles, states, fields and "nothing here", in the languages the corpus holds.

One list a meaning, items between bars, casefolded; reading is `words`'s.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(part.strip() for part in text.replace("\n", "|").split("|") if part.strip())


EXAMPLE = _words("""
format|formats|template|templates|example|examples|schema|entry format|example entries|sample|log format
beispiel|beispiele|vorlage|exemple|exemples|ejemplo|ejemplos|formato|exemplo|exemplos|modelo|plantilla|格式|模板
示例|例子|记录格式|フォーマット|例|テンプレート|형식|예시|템플릿|формат|шаблон|пример|примеры|דוגמה|תבנית|مثال
نموذج
""")
ABOUT = _words("""
process|what belongs here|what does not belong here|for the agent|for agents|note for the agent|escalation|stats
statistics|ablauf|so funktioniert es|cómo funciona|como usar|como funciona|mode d'emploi|comment ça marche
как пользоваться|注意事项|注意|참고|使い方|how we use this file|what this is|what this file is for|levels
severity|severities|housekeeping|meta|rules|rule|legend|status legend|status key|key|instructions|how to use
how it works|usage|guidelines|overview|about|purpose|introduction|intro|workflow|conventions|notes on format
workspace rules|protocol|policy|principles|readme|boundaries|how this works|what goes here|when to write here
maintenance|links|see also|related|references|statuses|regeln|legende|anleitung|hinweise|règles|légende|reglas
leyenda|regras|legenda|instruções|instrucciones|规则|说明|图例|使用说明|流程|原则|规范|ルール|凡例|규칙|범례
사용법|правила|легенда|инструкция|כללים|قواعد
""")
RESOLVED = _words("""
solved|handled|already sent|no longer blocked|dealt with|signed|approved and sent|out|gone out|gesendet
verschickt|envoyé|envoyés|enviado|enviados|отправлено|已发送|已寄出|公開済み|送信済み|게시됨|전송됨|נשלח|تم الحل
تم الإرسال|منشور|تم النشر|resolved|cleared|done|lifted|completed|complete|closed|archive|archived|history
released|finished|unblocked|past|published|posted|sent|shipped|merged|landed|delivered|answered|obsolete
cancelled|canceled|executed|fixed|erledigt|abgeschlossen|fertig|gelöst|erledigte|archiv|behoben|veröffentlicht
geschlossen|beendet|aufgehoben|résolu|résolus|terminé|terminés|fait|publié|publiés|clos|archives|levé|resuelto
resueltos|completado|completados|hecho|hechos|terminado|cerrado|publicado|publicados|archivado|finalizado
resolvido|resolvidos|concluído|concluídos|concluída|concluídas|feito|feitos|encerrado|arquivado|pronto|risolto
risolti|completato|completati|fatto|chiuso|pubblicato|завершено|завершённые|завершенные|готово|сделано|решено
решённые|выполнено|закрыто|архив|опубликовано|снято|已完成|完成|已解决|已解除|已关闭|已发布|已归档|归档|历史
今日完成|最近完成|解决|已處理|已处理|已完结|已上线|完了|解決済み|済み|済|対応済み|アーカイブ|완료|해결|해결됨
해소|완료됨|종료|해제|차단 해소|הושלם|בוצע|נפתר|סגור|הסתיים|פורסם|مكتمل|مكتملة|تم|منجز|محلول|مغلق|نشر
""")
REJECTED = _words("""
refusés|rechazados|rejeitados|отклонённые|却下済み|거절됨|not approved|turned down|rejected|denied|declined
discarded|dropped|refused|abgelehnt|verworfen|refusé|rejeté|rechazado|rejeitado|recusado|rifiutato|отклонено
отклонён|已拒绝|拒绝|却下|거부|거절|נדחה|مرفوض
""")
SUPERSEDED = _words("""
no longer valid|überholte|remplacées|revocadas|sustituidas|substituídas|revogadas|отменённые|已失效|廃止済み
폐기됨|not in force|no longer in force|outdated|retracted|superseded|replaced|deprecated|revoked|reverted
withdrawn|overruled|obsolete|void|retired|removed|reversed|consolidated|konsolidiert|merged into|folded into
ersetzt|überholt|zurückgezogen|widerrufen|aufgehoben|hinfällig|remplacé|annulé|abandonné|sustituido|sustituida
reemplazado|revocado|obsoleto|substituída|substituído|revogada|revogado|revertida|sostituito|заменено|отменено
отменён|устарело|废弃|已废弃|作废|已撤销|已取代|被取代|撤销|廃止|撤回|폐기|취소|대체됨|בוטל|ملغى
""")
PROPOSED = _words("""
proposed|proposal|draft|pending|open|tbd|under discussion|in discussion|to decide|undecided|needs decision|rfc
pending decisions|open decisions|vorgeschlagen|entwurf|offen|proposé|propuesto|propuesta|pendiente|proposto
proposta|pendente|предложено|на рассмотрении|提议|提案|待定|待决定|待确认|草案|検討中|未定|제안|검토중|보류|מוצע
مقترح
""")
OPEN = _words("""
open|active|pending|draft|blocked|waiting|awaiting|in progress|in review|todo|to do|doing|wip|queued|scheduled
banked|paused|on hold|hold|parked|ready|running|started|not started|not spawned|planned|planning|urgent|critical
staged|pending review|pending approval|awaiting approval|needs review|needs approval|approved|modified|new
backlog|ongoing|changes requested|deferred|investigating|prospecting|unresolved|incomplete|unknown|stale|failed
overdue|late|offen|aktiv|laufend|wartet|blockiert|in arbeit|geplant|bereit|en cours|bloqué|en attente|à faire
prêt|en curso|pendiente|bloqueado|activo|por hacer|aguardando|em andamento|pendente|ativo|a fazer
aguardando aprovação|в работе|в процессе|ожидает|заблокировано|открыто|активно|черновик|ждёт|запланировано
进行中|準備中|准备中|待处理|待办|待发布|待审批|待审核|阻塞|阻塞中|未解决|进行|活跃|草稿|待定|等待|等待中|未完成
未开始|進行中|待辦|対応中|未対応|保留|待ち|진행중|진행 중|대기|대기중|차단|현재 차단|미해결|초안|예정|פעיל|ממתין
חסום|בתהליך|פתוח|טיוטה|نشط|قيد الانتظار|محظور|معلق|جاري|مسودة|مفتوح
""")
LIVE = _words("""
ready for review|to approve|for approval|awaiting your ok|awaiting your yes|waiting on you|needs you
needs your ok|to send|to decide|outgoing|unresolved|ongoing|ausstehend|wartet|zur freigabe|laufend|à valider
bloqué|pendiente|pendente|aguardando aprovação|bloqueos actuales|bloqueios ativos|borradores pendientes
rascunhos pendentes|ожидает|на согласовании|открыто|ממתין|טיוטות|בתהליך|قيد الانتظار|مسودات|قيد التنفيذ|承認待ち
対応中|awaiting|waiting for a yes|for review|open holds|what is blocked|what's blocked|stuck|held|blocking
on ice|live|in flight|up for review|candidates|unsent|not sent|currently blocked|blocked|blocked items|hold
holds|on hold|active holds|current holds|active blockers|blockers|current|currently staged|staged|pending
pending items|drafts|recent|recent decisions|decisions|current instruction|items|current blockers
current obstacles|missing information|failed approaches|waiting|waiting for|waiting on|in front of you
decision log|log|entries|active|open|queue|approval queue|content queue|inbox|backlog|next|up next|on record
standing|awaiting approval|needs approval|needs review|to review|ready|scheduled|planned|in progress
work in progress|wip|doing|current tasks|active tasks|active projects|current projects|projects|current work
blocker|facilities|priorities|pending decisions|open decisions|posts|upcoming|this week|next week|today|tomorrow
calendar|schedule|critical|aktuell|aktuelle blocker|blockiert|offen|aktuelle entscheidungen|entscheidungen
aktuelle aufgaben|in arbeit|entwürfe|bloqueios|bloqueos|decisões|decisiones|pendentes|pendientes|em andamento
en curso|rascunhos|borradores|blocages|décisions|en attente|brouillons|en cours|blocchi|decisioni|in attesa
bozze|阻塞项|当前阻塞|阻塞|决策|决策记录|最近决策|重要决策|当前指令|当前任务|任务队列|待发布|待审批|待处理
进行中|草稿|队列|現在のブロック|決定|下書き|保留中|決定事項|현재 차단|차단|결정|대기|초안|진행중|진행 중
заблокировано|блокеры|решения|черновики|в работе|ожидание|текущее|очередь|חסומים|החלטות|ממתינים|طابور|قرارات
محظور
""")
TODO = _words("""
todo|to do|todos|to dos|to-do|tasks|open todos|next steps|next actions|action items|backlog|priorities|priority
high priority|medium priority|low priority|top priorities|p0|p1|p2|p3|urgent|must do|should do|nice to have|next
later|offene todos|aufgaben|nächste schritte|offene aufgaben|tâches|à faire|prochaines étapes|tareas|por hacer
próximos pasos|tarefas|a fazer|próximos passos|da fare|задачи|сделать|следующие шаги|待办|待办事项|任务|下一步
优先级|明日优先级|高优先级|中优先级|低优先级|待辦|やること|次のステップ|할 일|할일|다음 단계|משימות|מהשים לעשות
صعب|مهام
""")
PART = _words("""
context|decision|decisions made|rationale|consequences|alternatives|alternatives considered|options|option a
option b|why|what|what happened|what is blocked|what's blocked|impact|background|problem|the problem|solution
the solution|goal|goals|next step|next steps|notes|note|details|status|resume|how to resume|what you need to do
evidence|risk|risks|summary|scope|owner|timeline|references|links|files|recommendation|decision needed
resolution|action|actions|action needed|steps|where things stand|quick context|current state|tl dr|outcome
result|results|verification|open questions|instructions|draft reply|draft|message|body|content|text|original
tags|description|acceptance|acceptance criteria|metadata|reason|kontext|entscheidung|begründung|konsequenzen
alternativen|hintergrund|ziel|problem und lösung|auswirkungen|folgen|contexto|decisión|decisão|motivo
consecuencias|consequências|alternativas|objetivo|problema|solución|solução|resultado|contexte|décision|raison
conséquences|objectif|problème|контекст|решение|причина|последствия|альтернативы|цель|проблема|背景|决策
决策内容|决定|理由|原因|结果|影响|替代方案|备选方案|目标|方案|问题|解决方案|后果|风险|下一步|备注|说明
背景と理由|決定内容|結論|목표|배경|결정|이유|결과|대안|문제|הקשר|החלטה|סיבה|סياق|قرار|سبب|السياق|القرار
""")
STILL = _words("""
open|pending|remaining|outstanding|offene|offenes|abiertos|pendientes|pendentes|открытые|остальные
""")
FIELDS = _words("""
seit|wartet auf|folge|impact if late|開始时间|开始时间|等待|影响|解决时间|gelöst|desde|espera|bloqueia|bloquea
depuis|attend|с какого|ждёт|自|待つ|対象|대기|since when|who|what|where|link|draft text|scheduled for|audience
deadline for ok|cost|status|state|date|created|updated|added|opened|raised|since|started|blocked at|blocked on
blocked by|blocked|waiting on|waiting for|owner|responsible|assignee|priority|severity|type|id|reason|why
decision|decided|context|rationale|impact|consequences|alternatives|goal|task|title|action|draft|risk
description|resolution|resolved|resolved at|next|next step|next steps|deadline|due|due date|location|platform
channel|project|scope|source|from|to|subject|note|notes|requested by|requested|type of request|expires
approved by|decided by|decider|participants|author|outcome|problem|owner decision|last updated|current blocker
needed|needed from|what is needed|key|supersedes|superseded by|reversible|reason for hold|what's blocked
progress|eta|blockers|needs|plan|phase|stage|scheduled|schedule|time|text|body|files|task id|agent|datum|grund
entscheidung|begründung|verantwortlich|kontext|ziel|priorität|erstellt|typ|fecha|estado|motivo|razón|contexto
decisión|responsable|prioridad|objetivo|tipo|data|decisão|responsável|prioridade|fonte|statut|raison|contexte
décision|priorité|objectif|дата|статус|причина|решение|контекст|ответственный|приоритет|цель|тип|следующее|状态
狀態|日期|时间|創建|创建|更新|背景|决策|决策内容|决定|原因|理由|结果|类型|领域|优先级|负责人|目标|目標|进度|方案
后果|备注|下一步|待辦|ステータス|状態|日付|決定|상태|날짜|이유|결정|배경|목표|담당|우선순위|해소|סטטוס|תאריך
סיבה|החלטה|עדיפות|משימה|الحالة|التاريخ|السبب|القرار|الأولوية|المسؤول
""")
STATUS_FIELDS = _words("""
status|state|statut|estado|статус|状态|狀態|ステータス|状態|상태|סטטוס|الحالة|current status|статус задачи
""")
KEY_FIELDS = STATUS_FIELDS | _words("""
decision|decided|reason|why|blocked on|blocked by|waiting on|waiting for|context|rationale|created|raised|date
task|goal|datum|grund|entscheidung|fecha|motivo|decisión|decisão|дата|причина|решение|日期|背景|决策|原因|理由
날짜|이유|결정
""")
DATE_FIELDS = _words("""
desde|seit|depuis|dal|с|自|date|created|updated|added|opened|raised|since|started|blocked at|decided
last updated|when|datum|erstellt|fecha|data|дата|日期|时间|创建|日付|날짜|תאריך|التاريخ
""")
TASK_FIELDS = _words("""
task|current task|title|instruction|current focus|任务|当前任务|aufgabe|tarefa|tarea|tâche|задача
""")
SAID = _words("""
user said|user says|the user said|benutzer sagte|l'utilisateur a dit|utilisateur|el usuario dijo|o usuário disse
пользователь сказал|用户说|用户原话|使用者說|ユーザー|사용자|사용자 말|המשתמש אמר|قال المستخدم
""")
RESOLVED_FIELDS = _words("""
解决时间|解决于|gelöst am|erledigt am|resuelto el|resolvido em|résolu le|решено когда|resolved|resolved at
resolved on|cleared|lifted|closed|closed at|completed at|completed|published at|posted at|sent at|gelöst
erledigt|resuelto|resolvido|résolu|решено|已解决|해소|해결|superseded by|replaced by
""")
NO_VALUE = _words("""
no|null|none|n/a|na|false|-|—|–|never|tbd|open|pending|not yet|nein|nao|não|нет|否|未|없음|[ ]
""")
FINAL = _words("""
resolved|lifted|cleared|unblocked|superseded|解除|已解决|已完成|해소|해결|완료|resolvido|erledigt|gelöst|решено
снято
""")
NOTHING = _words("""
ninguno|ninguna por ahora|ninguno por el momento|nada por ahora|nichts zu tun|aktuell nichts|keine|leer
nothing to report|queue is empty|the queue is empty|zurzeit keine|derzeit nichts|nichts offen|alles erledigt
nichts|rien pour le moment|aucun brouillon|ninguno por ahora|nada pendiente|no hay nada|sin pendientes
nenhum no momento|não há nada|пока нет|сейчас ничего|目前没有|暂无内容|今のところなし|현재 없음|아직 없음
אין כרגע|لا يوجد حاليا|none right now|nothing right now|nothing at the moment|nothing open|all done|inbox zero
empty for now|keine offenen|rien à valider|none|none yet|none currently|none at this time|none at the moment
nothing|nothing here|nothing waiting|nothing yet|nothing staged|nothing held|nothing pending|nothing blocked
nothing to review|nothing scheduled|empty|n/a|na|null|nil|idle|waiting for task|waiting for instruction
no active task|no active tasks|no item|no items|no items yet|no item currently blocked
no items currently blocked|no draft|no drafts|no drafts yet|no decision|no decisions|no decisions yet|no hold
no holds|no blockers|no active blockers|no current blockers|no tasks|no task|no pending items|all clear|not set
keiner|keins|kein aktiver task|keine einträge|keine blocker|aktuell keine|aucun|aucune|rien|aucun blocage|vide
ninguna|nada|vacío|sin bloqueos|nenhum|nenhuma|vazio|sem bloqueios|nenhuma tarefa ativa|nenhum bloqueio|nessuno
nessuna|niente|vuoto|нет|ничего|пусто|нет задач|нет блокеров|отсутствуют|无|没有|暂无|空|无阻塞项|当前无阻塞项
无活跃任务|暂无任务|无任务|无待办|当前无任务|无阻塞|暂无阻塞|無|暫無|現在なし|なし|無し|ありません|特になし|없음
없다|없습니다|해당 없음|차단 없음|אין|ריק|لا شيء|لا يوجد|فارغ
""")
SUBJECT_COLUMNS = _words("""
o que|qué|was|quoi|cosa|что|什么|何|무엇|מה|ماذا|what|item|task|description|decision|draft|question|title|name
action|waiting|blocker|issue|topic|post|content|决策|任务|事项|描述|内容|решение|задача|описание|aufgabe
entscheidung|beschreibung|decisão|decisión|tarefa|tarea|결정|작업
""")
COLUMNS = _words("""
o que|qué|was|quoi|cosa|что|什么|何|무엇|מה|ماذا|desde|seit|depuis|what|item|task|description|decision|draft
status|owner|since|date|question|waiting|title|name|action|priority|blocked|blocker|issue|reason|who|topic|post
content|text|deadline|due|决策|任务|状态|事项|描述|日期|内容|阻塞|решение|дата|задача|статус|описание
beschreibung|aufgabe|entscheidung|datum|grund|decisão|decisión|tarefa|tarea|data|fecha|estado|erat|project
approval|rationale|rational|context|channel|cursus|결정|상태|작업|날짜
""")
TASK_COLUMNS = _words("""
description|item|priority|status|task|задача|статус|任务|优先级|状态
""")
MANUAL = _words("""
notes|notas|notizen|remarques|note|заметки|备注|メモ|메모|הערות|ملاحظات|what does not|what does not go here
what goes in here|what belongs in here|what this file is not|process|what belongs here|what does not belong here
for the agent|for agents|escalation|stats|statistics|guidelines|workflow|protocol|links|references|see also
hinweise|ablauf|so funktioniert es|cómo funciona|como usar|mode d'emploi|как пользоваться|注意事项|使い方|사용법
قواعد|levels|severity|what this is|what this file is for|how we use this file|rules|rule|instructions|how to use
how to use this file|how it works|how this works|usage|legend|status legend|status key|statuses|conventions
what goes here|when to write here|about|about this file|overview|purpose|introduction|intro|readme|regeln
legende|anleitung|règles|légende|reglas|leyenda|regras|legenda|规则|说明|图例|使用说明|ルール|凡例|규칙|правила
כללים
""")
MEANING_COLUMNS = _words("""
meaning|means|bedeutung|significado|signification|significato|значение|含义|意味|의미|משמעות|المعنى|explanation
""")
APPROVED = _words(
    "approved|genehmigt|freigegeben|approuvé|aprobado|aprovado|approvato|одобрено|已批准|承認|승인|אושר|موافق عليه"
)
HOLDING_COLUMNS = _words("""
blocked|on hold|waiting|stuck|held|blockiert|bloqué|bloqueado|заблокировано|阻塞|차단|חסום|محظور
""")
OTHER_COLUMNS = _words("""
ready|in progress|doing|plan|planned|next|next up|in review|review|backlog|todo|to do|active|running|inbox|ideas
in arbeit|geplant|en cours|en curso|em andamento|в работе|进行中|待办|진행중|בתהליך|قيد التنفيذ
""")
MANUAL_CHAPTERS = _words("""
install|installation|usage|license|licence|contributing|configuration|config|api|quick start|quickstart
getting started|requirements|development|testing|tests|troubleshooting|faq|features|architecture|roadmap
changelog|credits
""")
