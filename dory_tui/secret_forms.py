"""The forms by which `dory_tui.secrets` knows a secret: what makers document, and how people name passwords. Tables.

The makers' forms are those that scanners such as Betterleaks and Kingfisher look for too.
"""

from __future__ import annotations

from re import escape

SERVICES = (
    "$aact_hmlg_", "$aact_prod_", "ABSK", "AIK_SECRET_", "AKCp", "ATATT3", "ATCTT3", "AstraCS:", "BBDC-", "CCIPAT_",
    "CCIPRJ_", "CLOJARS_", "EZAK", "EZTK", "FLWSECK_TEST-", "GR1348941", "HRKU-AA", "NRAK-", "NRII-", "NRJS-",
    "PMAK-", "PMAT-", "SWMKEY-1-", "SWMTKN-1-", "api_org_", "apify_api_", "authress_", "bkaa_", "bkaj_", "bkct_",
    "bkpat_", "bkps_", "bkua_", "cfat_", "cfut_", "dapi", "dckr_oat_", "dckr_pat_", "ddo_", "ddp_", "dnkey-",
    "dp.ct.", "dp.pt.", "dp.sa.", "dp.st.", "dt0c01.", "duffel_live_", "duffel_test_", "dvc_server_", "endr+",
    "essu_", "figd_", "fio-u-", "fm1_", "fm2_", "glagent-", "glc_", "glcbt-", "glffct-", "glft-", "glimt-",
    "gloas-", "glsa_", "gsk_", "hvb.", "hvr.", "hvs.", "lin_api_", "lin_oauth_", "llx-", "lsv2_pt_", "lsv2_sk_",
    "mdb_sa_sk_", "mergify_application_key_", "mlsn.", "napi_", "ntn_", "nvapi-", "ops_eyJ", "os_v2_app_",
    "os_v2_org_", "packagist_acs_", "packagist_ort_", "packagist_out_", "pcsk_", "pdl_live_apikey_",
    "persona_production_", "phx_", "pina_", "polar_at_", "polar_oat_", "polar_pat_", "pplx-", "pscale_oauth_",
    "pscale_pw_", "pscale_tkn_", "pul-", "r8_", "ramp_sec_", "rdme_", "rnd_", "rootly_", "rpa_", "rubygems_",
    "samsara_api_", "sb_secret_", "sbp_", "scauth_", "sgp_", "shippo_live_", "shippo_test_", "shpat_", "shpca_",
    "shppa_", "shpss_", "sm_aat_", "sm_pat_", "sm_sat_", "sntrys_", "sntryu_", "sq0atp-", "sq0csp-", "tfp_",
    "tgp_v1_", "tskey-", "tvly-", "unkey_", "vca_", "vcp_", "vcr_", "waka_", "wandb_v1_", "xai-", "xkeysib-",
    "xnd_production_", "zpka_",
)  # fmt: skip
"""How keys begin that Kingfisher's rules know by that: those that no other word begins with."""
KNOWN = (
    ("a GitHub token", r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{30,255}"),
    ("a GitLab token", r"gl(?:pat|dt|rt|ptt|soat)-[A-Za-z0-9_-]{20,64}"),
    ("an AWS access key", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
    ("an Anthropic key", r"sk-ant-[A-Za-z0-9_-]{20,200}"),
    ("an OpenAI key", r"sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,200}"),
    ("a Google key", r"AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{20,300}"),
    ("a Slack token", r"xox[abeoprs]-[A-Za-z0-9-]{10,250}|xapp-\d-[A-Za-z0-9-]{20,250}"),
    ("a Slack or Discord webhook", r"https://(?:hooks\.slack\.com/services/T\w+/B\w+/\w{16,}"
     r"|discord(?:app)?\.com/api/webhooks/\d{15,}/[\w-]{40,})"),
    ("a Stripe key", r"(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{24,200}"),
    ("a SendGrid key", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    ("a Telegram bot token", r"\d{8,10}:AA[A-Za-z0-9_-]{33}"),
    ("an npm token", r"npm_[A-Za-z0-9]{36}"),
    ("a PyPI token", r"pypi-AgEI[A-Za-z0-9_-]{50,}"),
    ("a Hugging Face token", r"hf_[A-Za-z]{30,40}"),
    ("a DigitalOcean token", r"do[opr]_v1_[a-f0-9]{64}"),
    ("a signed web token", r"eyJ[A-Za-z0-9_-]{10,2000}+\.eyJ[A-Za-z0-9_-]{10,8000}+\.[A-Za-z0-9_-]{10,}"),
    ("a private key", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    ("an access key of a service", f"(?:{'|'.join(map(escape, SERVICES))})[A-Za-z0-9_.=+/-]{{20,250}}"),
)  # fmt: skip
BEGINS = frozenset(one[:3] for one in SERVICES).union((
    "ABI", "ACC", "AGE", "AIz", "AKI", "ASI", "GOC", "SG.", "doo", "dop", "dor", "eyJ", "gho", "ghp", "ghr", "ghs",
    "ghu", "git", "gld", "glp", "glr", "hf_", "npm", "pyp", "rk_", "sk-", "sk_", "whs", "xap", "xox", "ya2"
))  # fmt: skip
"""How each of them begins, where it stands for itself. Looked for first: cheaper than the forms by far."""
APART = (":AA", "hooks.slack.com/", "/api/webhooks/")
"""What is in those that begin like any other word."""
WORD = 19
"""Every form is a word of so many characters or more."""
PASS = ("password", "passwd", "passphrase", "passcode", "passwort", "mot de passe")
KEYS = ("secret", "token", "credential", "key")
NAMES = (*KEYS, "pwd", "pin code", "kennwort", "contraseña", "senha", "пароль", "密码", "口令", "パスワード")
PARTS = {
    "random": r"(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{16}",
    "begin": r"(?<![A-Za-z0-9_])(?=([A-Za-z$][!-~]{2}))",
    # Short words, as many as there are: the rest of the work is for the long ones.
    "skip": r"\s*+(?:\S{0,18}+\s++)*+",
    "long": r"\S+",
    # After a name such as `api_key`: `:`, `=`, "is" or the next cell of a table, then a value. What is said about
    # passwords, such as how long they are, is no password unless it looks like one made with care.
    "value": r"(?P<about>[ _-]?(?:polic(?:y|ies)|rules?|length|managers?|format|strength|requirements?|rotation"
             r"|expir(?:y|es|ation)|generators?)(?![a-z]))?"
             r"(?:[\w -]{0,12}?(?:\([\w -]{1,20}\))?[\"'`*_]{0,3}[^\S\r\n]{0,8}"
             r"(?:[:：]=?|=>?|→|->|\bis\b|\bist\b|\bes\b|是)"
             r"|(?:[ _-](?:key|value))?[:：]?[\"'`*_]{0,3}[:：]?[^\S\r\n]{0,40}(?P<cell>\|))"
             r"(?:[^\S\r\n]|[\"'`*_“„«]){0,6}(?P<value>[^\s\"'`<>|“”„«»]{6,200})",
    "key": r"(?:api|access|private|auth|signing|encryption|master|bot)[ _-]?\Z",
    "login": r"[^\s:/@'\"`]{0,100}:(?P<value>[^\s/@'\"`]{3,200})@[\w.-]",
    "line": r"[A-Za-z0-9+/]{60,76}={0,2}",
    "example": r"example|placeholder|your[_-]|[x*•.·…]{4,}|redacted|hidden|masked|changeme|dummy|sample|not[_-]a[_-]"
               r"|abcdefg|0123456|1234567",
    "pointer": r"[\$%<{\[(\\~.…]|//|op://|vault:|env[:.]|keychain:|pass:|see\b|https?://|ssh://|file:|⟦(?:U\+|byte)"
               r"|(?:required|optional|mandatory|needed|missing|unset|rotated|expired)(?:-\dx?)?\Z"
               r"|\d+-?(?:chars?|characters?|digits?|letters?|words?|bits?|bytes?|days?|weeks?|months?|years?)\Z"
               r"|(?:argon2\w*|bcrypt|scrypt|pbkdf2|sha-?\d+|md5|(?:var)?char\(?\d+|oauth2|1password)\Z",
    # Cells that tell what was done with a password, and what stands beside a name that is no value for it.
    "doing": r"reset|chang|rotat|forg[eo]t|renew|updat|expir",
    "told": r"sha-?\d+:|.*,\Z",
    "moment": r"\d{4}-\d\d-\d\d(?:T[\d:.Z+-]*)?\Z|\d\d?:\d\d\w{0,2}\Z",
    "path": r"[\w.~-]*(?:/[\w.~-]+)+/?\Z",
    "file": r"/(?:Users|Volumes|Library|home|etc|var|opt|usr|tmp|mnt)/|.*\(",
    "ending": r"[\w~/-]+(?:\.[\w~/-]+)*\.(?:md|json|ya?ml|toml|env|txt|py|js|ts|sh)\Z",
    "head": r"[A-Za-z][A-Za-z0-9]{1,7}[_-](?:[a-z]{2,6}[_-])?|AKIA|ASIA|AIza|eyJ|SG\.|-----BEGIN|https://[^/]+/",
}  # fmt: skip
FOLDED = ("value", "example", "pointer", "told")
